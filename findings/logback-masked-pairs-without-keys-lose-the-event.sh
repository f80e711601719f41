#!/usr/bin/env bash
# Logback's %maskedKvp without a list of keys writes no line for an event that has key-value pairs.
#
# A guess would be that it masks none then, or all, since events without pairs are written and the start says nothing.
# The converter's list is null then; what it throws becomes an ERROR status of the appender, which no log shows, for the
# first two events, and nothing from the third on. Write at least one key, %maskedKvp{password}, or %kvp.
#
# Seen on 2026-11-29 with JDK 17.0.15, Logback 1.5.38 and 1.6.6: the lines at the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >Main.java <<'END'
import ch.qos.logback.classic.*;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.status.Status;
import java.nio.file.*;

public class Main {
  public static void main(String[] args) throws Exception {
    LoggerContext context = (LoggerContext) org.slf4j.LoggerFactory.getILoggerFactory();
    context.reset();
    for (String word : new String[] {"%maskedKvp{password}", "%maskedKvp"}) {
      context.getStatusManager().clear();
      PatternLayoutEncoder encoder = new PatternLayoutEncoder();
      encoder.setContext(context);
      encoder.setPattern("%m " + word + "%n");
      encoder.start();
      FileAppender<ILoggingEvent> appender = new FileAppender<>();
      appender.setContext(context);
      appender.setName(word);
      appender.setFile(args[0]);
      appender.setAppend(false);
      appender.setEncoder(encoder);
      appender.start();
      Logger logger = context.getLogger(word);
      logger.setAdditive(false);
      logger.addAppender(appender);
      logger.info("no pair");
      for (int i = 1; i <= 6; i++) {
        logger.atInfo().addKeyValue("user", "ann").log("a pair, " + i);
      }
      appender.stop();
      System.out.println(word + ":");
      for (String line : Files.readAllLines(Path.of(args[0]))) {
        System.out.println("  " + line.strip());
      }
      long errors =
          context.getStatusManager().getCopyOfStatusList().stream()
              .filter(each -> each.getEffectiveLevel() == Status.ERROR)
              .peek(each -> System.out.println("  status: " + each.getThrowable().getClass().getName()))
              .count();
      System.out.println("  " + errors + " statuses of 6 events");
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
  java -cp "$version/*" Main.java "$version.log"
done | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
1.5.38:
%maskedKvp{password}:
  no pair
  a pair, 1 user="ann"
  a pair, 2 user="ann"
  a pair, 3 user="ann"
  a pair, 4 user="ann"
  a pair, 5 user="ann"
  a pair, 6 user="ann"
  0 statuses of 6 events
%maskedKvp:
  no pair
  status: java.lang.NullPointerException
  status: java.lang.NullPointerException
  2 statuses of 6 events
1.6.6:
%maskedKvp{password}:
  no pair
  a pair, 1 user="ann"
  a pair, 2 user="ann"
  a pair, 3 user="ann"
  a pair, 4 user="ann"
  a pair, 5 user="ann"
  a pair, 6 user="ann"
  0 statuses of 6 events
%maskedKvp:
  no pair
  status: java.lang.NullPointerException
  status: java.lang.NullPointerException
  2 statuses of 6 events
END
