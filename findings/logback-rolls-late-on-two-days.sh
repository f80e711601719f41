#!/usr/bin/env bash
# Where summer time begins at midnight, as in Egypt, Logback 1.5.38 rolls at 01:00 that day, since there is no 00:00,
# and at 01:00 the day after too.
#
# A guess would be that only the missing midnight is an hour late. The roll of the day after is computed by adding a day
# to 01:00, so its first hour is in the archive with the date of the day before; lines of two dates are in one file.
#
# Seen on 2026-11-28 with JDK 17.0.15: the lines at the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >pom.xml <<'END'
<project>
 <modelVersion>4.0.0</modelVersion><groupId>finding</groupId><artifactId>finding</artifactId><version>1</version>
 <dependencies>
  <dependency><groupId>ch.qos.logback</groupId><artifactId>logback-classic</artifactId><version>1.5.38</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import ch.qos.logback.core.rolling.helper.RollingCalendar;
import java.time.*;
import java.util.*;

public class Main {
  public static void main(String[] args) {
    rolls("yyyy-MM-dd", "Africa/Cairo", "2026-04-22T12:00:00Z");
  }

  /** The rolls after this moment, and how long each file lasts. */
  static void rolls(String pattern, String zone, String from) {
    RollingCalendar calendar = new RollingCalendar(pattern, TimeZone.getTimeZone(zone), Locale.US);
    Instant roll = calendar.getNextTriggeringDate(Instant.parse(from));
    System.out.println(pattern + " in " + zone);
    for (int i = 0; i < 3; i++) {
      Instant next = calendar.getNextTriggeringDate(roll);
      System.out.println("  " + roll.atZone(ZoneId.of(zone)).toLocalDateTime() + " to "
          + next.atZone(ZoneId.of(zone)).toLocalDateTime() + ": "
          + Duration.between(roll, next).toMinutes() + " minutes");
      roll = next;
    }
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
yyyy-MM-dd in Africa/Cairo
  2026-04-23T00:00 to 2026-04-24T01:00: 1440 minutes
  2026-04-24T01:00 to 2026-04-25T01:00: 1440 minutes
  2026-04-25T01:00 to 2026-04-26T00:00: 1380 minutes
END
