#!/usr/bin/env bash
# Logback's %d writes no microseconds: the digits after the millisecond are always 000, though the event has them.
#
# A guess would be that %d{HH:mm:ss.SSSSSS} writes the microseconds, since ILoggingEvent.getInstant() has had them
# since 1.5 and the pattern is accepted. The converter reads getTimeStamp(), which is in milliseconds, and fills up
# with zeros. So lines of one millisecond cannot be put in order by their times, nor compared with another program's.
# %micros writes the three digits after the millisecond.
#
# Seen on 2026-11-29 with JDK 17.0.15, Logback 1.5.38 and 1.6.6: the lines at the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >Main.java <<'END'
import ch.qos.logback.classic.*;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

public class Main {
  public static void main(String[] args) {
    LoggerContext context = new LoggerContext();
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d{HH:mm:ss.SSSSSS, UTC} | %d{HH:mm:ss.nnnnnnnnn, UTC} | %micros | %m%n");
    encoder.start();
    for (int micros : new int[] {123_456, 123_789}) {
      LoggingEvent event = new LoggingEvent();
      event.setLoggerContext(context);
      event.setLevel(Level.INFO);
      event.setMessage("the event has " + micros);
      event.setInstant(Instant.ofEpochSecond(0, micros * 1000L));
      System.out.print(new String(encoder.encode(event), StandardCharsets.UTF_8));
    }
  }
}
END

for version in 1.5.38 1.6.6; do
  cat >pom.xml <<END
<project>
 <modelVersion>4.0.0</modelVersion><groupId>finding</groupId><artifactId>finding</artifactId><version>1</version>
 <dependencies>
  <dependency><groupId>ch.qos.logback</groupId><artifactId>logback-classic</artifactId><version>$version</version></dependency>
 </dependencies>
</project>
END
  mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory="$version" >&2
  echo "$version:"
  java -cp "$version/*" Main.java
done | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
1.5.38:
00:00:00.123000 | 00:00:00.123000000 | 456 | the event has 123456
00:00:00.123000 | 00:00:00.123000000 | 789 | the event has 123789
1.6.6:
00:00:00.123000 | 00:00:00.123000000 | 456 | the event has 123456
00:00:00.123000 | 00:00:00.123000000 | 789 | the event has 123789
END
