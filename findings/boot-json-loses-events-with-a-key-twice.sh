#!/usr/bin/env bash
# Spring Boot 4.1.1's structured logging writes no line for an event whose MDC and key-value pairs share a key, or whose
# MDC has the name of one of its fields.
#
# A guess would be that the pair wins, or that both are written, as other JSON encoders do. All three formats refuse
# with an exception, which an appender turns into one ERROR status that no log shows. One MDC.put("message", …) at the
# beginning of a request loses all of its lines.
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
  <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot</artifactId><version>4.1.1</version></dependency>
  <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-logging</artifactId><version>4.1.1</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import ch.qos.logback.classic.*;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import java.nio.file.*;
import org.slf4j.*;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.core.env.*;

public class Main {
  public static void main(String[] args) throws Exception {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    context.putObject(Environment.class.getName(), new StandardEnvironment());
    for (String format : new String[] {"ecs", "logstash", "gelf"}) {
      StructuredLogEncoder encoder = new StructuredLogEncoder();
      encoder.setContext(context);
      encoder.setFormat(format);
      encoder.start();
      FileAppender<ILoggingEvent> appender = new FileAppender<>();
      appender.setContext(context);
      appender.setName(format);
      appender.setFile(format + ".log");
      appender.setEncoder(encoder);
      appender.start();
      ch.qos.logback.classic.Logger logger = context.getLogger(format);
      logger.setAdditive(false);
      logger.addAppender(appender);

      logger.info("kept: plain");
      MDC.put("user", "ann");
      logger.atInfo().addKeyValue("order", 1).log("kept: different keys");
      logger.atInfo().addKeyValue("user", "ann").log("shared key");
      MDC.clear();
      MDC.put("message", "x");
      logger.info("MDC named as a field");
      MDC.clear();
      appender.stop();
      System.out.println(format + ":");
      for (String line : Files.readAllLines(Path.of(format + ".log"))) {
        System.out.println("  " + line.replaceAll(".*\"(short_)?message\":\"([^\"]*)\".*", "$2"));
      }
    }
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
ecs:
  kept: plain
  kept: different keys
logstash:
  kept: plain
  kept: different keys
gelf:
  kept: plain
  kept: different keys
  MDC named as a field
END
