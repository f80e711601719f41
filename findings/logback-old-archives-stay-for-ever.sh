#!/usr/bin/env bash
# Logback 1.5.38 never deletes archives that are older than maxHistory + 336 periods, with cleanHistoryOnStart neither.
#
# A guess would be that whatever is older than maxHistory goes at the next clean-up, or at the start with
# cleanHistoryOnStart. A clean-up walks back from maxHistory over the periods that have passed since the last one, and
# at its first over 336 at most. With an hourly name that is 14 days: what an application left that was switched off for
# longer stays, and is asked for by no later clean-up.
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
import ch.qos.logback.core.ContextBase;
import ch.qos.logback.core.rolling.*;
import ch.qos.logback.core.rolling.helper.*;
import java.nio.file.*;
import java.time.Instant;
import java.util.*;

public class Main {
  public static void main(String[] args) throws Exception {
    Path directory = Files.createDirectory(Path.of("logs")).toAbsolutePath();
    ContextBase context = new ContextBase();
    Instant now = Instant.parse("2026-11-28T12:00:30Z");
    String name = directory + "/app.%d{yyyy-MM-dd_HH, UTC}.log";
    FileNamePattern pattern = new FileNamePattern(name, context);
    for (int hours = 1; hours <= 400; hours++) {
      Files.createFile(Path.of(pattern.convert(now.minusSeconds(3600L * hours))));
    }
    TimeBasedRollingPolicy<Object> policy = new TimeBasedRollingPolicy<>();
    policy.setContext(context);
    policy.setFileNamePattern(name);
    policy.setMaxHistory(24);
    policy.setParent(new RollingFileAppender<>());
    DefaultTimeBasedFileNamingAndTriggeringPolicy<Object> trigger =
        new DefaultTimeBasedFileNamingAndTriggeringPolicy<>();
    trigger.setContext(context);
    trigger.setCurrentTime(now.toEpochMilli());
    policy.setTimeBasedFileNamingAndTriggeringPolicy(trigger);
    policy.start();
    ArchiveRemover cleanUp = trigger.getArchiveRemover(); // as cleanHistoryOnStart would
    for (int hours = 0; hours < 3; hours++) {
      cleanUp.clean(now.plusSeconds(3600L * hours));
      String[] left = directory.toFile().list();
      Arrays.sort(left);
      System.out.println("clean-up " + hours + ": " + left.length + " of 400 left, the oldest " + left[0]);
    }
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
clean-up 0: 64 of 400 left, the oldest app.2026-11-11_20.log
clean-up 1: 63 of 400 left, the oldest app.2026-11-11_20.log
clean-up 2: 62 of 400 left, the oldest app.2026-11-11_20.log
END
