#!/usr/bin/env bash
# Spring Boot's structured logging writes a key-value pair that is NaN or infinite as NaN or Infinity without quotes,
# which is no JSON: a parser refuses the whole line.
#
# A guess would be null or a text, as other JSON encoders write ("NaN" of logstash-logback-encoder). A ratio whose
# divisor was 0 is enough: double hitRate = hits / total.
#
# Seen on 2026-11-29 with JDK 17.0.15, Spring Boot 3.5.16 and 4.1.1, Jackson 2.18.2: the lines at the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >Main.java <<'END'
import ch.qos.logback.classic.*;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;
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
      for (double value : new double[] {0.5, 0.0 / 0.0, 1 / 0.0}) {
        Logger logger = context.getLogger(Main.class);
        LoggingEvent event = new LoggingEvent("x", logger, Level.INFO, "m", null, null);
        event.setKeyValuePairs(List.of(new KeyValuePair("hitRate", value)));
        String line = new String(encoder.encode(event), StandardCharsets.UTF_8);
        String field = line.replaceAll(".*(\"_?hitRate\":[^,}]*).*\\n", "$1");
        String parsed;
        try {
          new ObjectMapper().readTree(line);
          parsed = "parsed";
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
          parsed = "refused";
        }
        System.out.println("  " + format + " " + field + " " + parsed);
      }
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
  <dependency><groupId>com.fasterxml.jackson.core</groupId><artifactId>jackson-databind</artifactId><version>2.18.2</version></dependency>
 </dependencies>
</project>
END
  mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory="$version" >&2
  echo "$version:"
  java -cp "$version/*" Main.java
done | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
3.5.16:
  ecs "hitRate":0.5 parsed
  ecs "hitRate":NaN refused
  ecs "hitRate":Infinity refused
  logstash "hitRate":0.5 parsed
  logstash "hitRate":NaN refused
  logstash "hitRate":Infinity refused
  gelf "_hitRate":0.5 parsed
  gelf "_hitRate":NaN refused
  gelf "_hitRate":Infinity refused
4.1.1:
  ecs "hitRate":0.5 parsed
  ecs "hitRate":NaN refused
  ecs "hitRate":Infinity refused
  logstash "hitRate":0.5 parsed
  logstash "hitRate":NaN refused
  logstash "hitRate":Infinity refused
  gelf "_hitRate":0.5 parsed
  gelf "_hitRate":NaN refused
  gelf "_hitRate":Infinity refused
END
