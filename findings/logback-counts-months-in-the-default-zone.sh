#!/usr/bin/env bash
# Logback 1.5.38 counts months in the default time zone, whatever zone the file name pattern has: a monthly archive may
# stay for ever.
#
# A guess would be that with %d{yyyy-MM, ZONE} all that has to do with periods happens in that zone. Names and times of
# the roll do. How many periods have passed since the last clean-up is counted by RollingCalendar.diffInMonths, with
# Calendar.getInstance(). Where the default zone is west of the pattern's, the first of a month there is still the month
# before here: a clean-up at the first roll after cleanHistoryOnStart finds that no period has passed, and removes
# nothing; later ones look at later periods only.
#
# Seen on 2026-11-29 with JDK 17.0.15: the lines at the end of this file.
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
import ch.qos.logback.core.ContextBase;
import ch.qos.logback.core.rolling.*;
import ch.qos.logback.core.rolling.helper.*;
import java.nio.file.*;
import java.time.Instant;
import java.util.*;

public class Main {
  public static void main(String[] args) throws Exception {
    for (String zone : List.of("Europe/Berlin", "UTC")) {
      TimeZone.setDefault(TimeZone.getTimeZone(zone));
      Path directory = Files.createTempDirectory(Path.of("").toAbsolutePath(), "logs");
      ContextBase context = new ContextBase();
      String name = directory + "/app.%d{yyyy-MM, Europe/Berlin}.log";
      TimeBasedRollingPolicy<Object> policy = new TimeBasedRollingPolicy<>();
      policy.setContext(context);
      policy.setFileNamePattern(name);
      policy.setMaxHistory(2);
      policy.setParent(new RollingFileAppender<>());
      DefaultTimeBasedFileNamingAndTriggeringPolicy<Object> trigger =
          new DefaultTimeBasedFileNamingAndTriggeringPolicy<>();
      trigger.setContext(context);
      trigger.setCurrentTime(Instant.parse("2026-03-15T12:00:00Z").toEpochMilli());
      policy.setTimeBasedFileNamingAndTriggeringPolicy(trigger);
      policy.start();
      for (int month = 1; month <= 8; month++) {
        Files.createFile(directory.resolve("app.2026-0" + month + ".log"));
      }
      ArchiveRemover cleanUp = trigger.getArchiveRemover();
      cleanUp.clean(Instant.parse("2026-03-15T12:00:00Z")); // as cleanHistoryOnStart would
      for (int month = 4; month <= 8; month++) { // as each roll would, at midnight in Berlin
        cleanUp.clean(Instant.parse("2026-0" + (month - 1) + "-" + (month % 2 == 0 ? 31 : 30) + "T22:00:00Z"));
      }
      String[] left = directory.toFile().list();
      Arrays.sort(left);
      System.out.println("default zone " + zone + ": " + String.join(" ", left));
    }
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
default zone Europe/Berlin: app.2026-06.log app.2026-07.log app.2026-08.log
default zone UTC: app.2026-01.log app.2026-06.log app.2026-07.log app.2026-08.log
END
