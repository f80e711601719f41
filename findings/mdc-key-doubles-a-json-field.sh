#!/usr/bin/env bash
# An MDC entry named "message" or "level" makes LogstashEncoder 9.0 and Elastic's EcsEncoder 1.7.0 write that key twice
# in one object, and common parsers then believe the MDC.
#
# A guess would be that the encoder's own field wins, or the MDC's, or that one is renamed. Both are written, the MDC's
# last; Jackson and others keep the last, so the message that was logged is gone from what they read.
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
  <dependency><groupId>net.logstash.logback</groupId><artifactId>logstash-logback-encoder</artifactId><version>9.0</version></dependency>
  <dependency><groupId>co.elastic.logging</groupId><artifactId>logback-ecs-encoder</artifactId><version>1.7.0</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import ch.qos.logback.classic.*;
import ch.qos.logback.classic.spi.*;
import ch.qos.logback.core.encoder.Encoder;
import co.elastic.logging.logback.EcsEncoder;
import java.util.List;
import net.logstash.logback.encoder.LogstashEncoder;
import org.slf4j.*;
import tools.jackson.databind.ObjectMapper;

public class Main {
  public static void main(String[] args) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    MDC.put("message", "from the MDC");
    ILoggingEvent event =
        new LoggingEvent("", context.getLogger("a"), Level.INFO, "payment failed", null, null);
    for (Encoder<ILoggingEvent> encoder : List.of(new LogstashEncoder(), new EcsEncoder())) {
      encoder.setContext(context);
      encoder.start();
      String json = new String(encoder.encode(event));
      System.out.println(encoder.getClass().getSimpleName() + " writes the key "
          + (json.split("\"message\":").length - 1) + " times, Jackson reads: "
          + new ObjectMapper().readTree(json).get("message").asString());
    }
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
LogstashEncoder writes the key 2 times, Jackson reads: from the MDC
EcsEncoder writes the key 2 times, Jackson reads: from the MDC
END
