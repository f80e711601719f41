#!/usr/bin/env bash
# In the night when an hour comes twice, Logback 1.5.38 with hourly names writes one archive of 120 minutes, in which
# times go back.
#
# A guess would be a roll at each full hour, so that the second 02:00 replaces the first one's archive, or has a name of
# its own. The next roll is computed on the wall clock: after 02:00 comes 03:00.
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
    rolls("yyyy-MM-dd_HH", "Europe/Berlin", "2026-10-24T22:30:00Z");
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
yyyy-MM-dd_HH in Europe/Berlin
  2026-10-25T01:00 to 2026-10-25T02:00: 60 minutes
  2026-10-25T02:00 to 2026-10-25T03:00: 120 minutes
  2026-10-25T03:00 to 2026-10-25T04:00: 60 minutes
END
