#!/usr/bin/env bash
# Spring Boot's structured logging allocates 31 to 73 times the bytes of the line that it writes, also when the code is
# compiled: 7 to 19 KB for a line of 220 to 257 bytes with one MDC key, a gigabyte for every 53,000 to 150,000 lines.
#
# A guess would be two or three times: a text, its bytes. LogstashEncoder, whose lines look the same, allocates twice.
#
# Seen on 2026-11-29 with JDK 17.0.15, Spring Boot 3.5.16 and 4.1.1, logstash-logback-encoder 8.1: the lines at the end of
# this file. The exact amount depends on what the compiler leaves out, so that only its size is compared.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >Main.java <<'END'
import ch.qos.logback.classic.*;
import ch.qos.logback.classic.spi.*;
import ch.qos.logback.core.encoder.Encoder;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import net.logstash.logback.encoder.LogstashEncoder;
import org.slf4j.LoggerFactory;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.core.env.*;

public class Main {
  static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  public static void main(String[] args) throws Exception {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    context.putObject(Environment.class.getName(), new StandardEnvironment());
    for (String format : new String[] {"LogstashEncoder", "logstash", "gelf", "ecs"}) {
      Encoder<ILoggingEvent> encoder;
      if (format.equals("LogstashEncoder")) {
        encoder = new LogstashEncoder();
      } else {
        StructuredLogEncoder boots = new StructuredLogEncoder();
        boots.setFormat(format);
        encoder = boots;
      }
      encoder.setContext(context);
      encoder.start();
      LoggingEvent event =
          new LoggingEvent("x", context.getLogger("com.acme.Shop"), Level.INFO, "order 4711 accepted", null, null);
      event.setMDCPropertyMap(Map.of("traceId", "0af7651916cd43dd8448eb211c80319c"));
      long bytes = 0;
      long line = 0;
      for (int i = 0; i < 40_000; i++) {
        if (i == 30_000) {
          bytes -= allocated();
        }
        line = encoder.encode(event).length;
      }
      long times = (bytes + allocated()) / 10_000 / line;
      System.out.println("  " + format + (times >= 20 ? ": more than 20 times its line" : ": less"));
      System.err.println("    " + line + " bytes, " + times + " times");
    }
  }
}
END

for version in 3.5.16 4.1.1; do
  cat >pom.xml <<END
<project>
 <modelVersion>4.0.0</modelVersion><groupId>finding</groupId><artifactId>finding</artifactId><version>1</version>
 <dependencies>
  <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot</artifactId><version>$version</version></dependency>
  <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-logging</artifactId><version>$version</version></dependency>
  <dependency><groupId>net.logstash.logback</groupId><artifactId>logstash-logback-encoder</artifactId><version>8.1</version></dependency>
 </dependencies>
</project>
END
  mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory="$version" >&2
  echo "$version:"
  java -cp "$version/*" Main.java
done | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
3.5.16:
  LogstashEncoder: less
  logstash: more than 20 times its line
  gelf: more than 20 times its line
  ecs: more than 20 times its line
4.1.1:
  LogstashEncoder: less
  logstash: more than 20 times its line
  gelf: more than 20 times its line
  ecs: more than 20 times its line
END
