#!/usr/bin/env bash
# Elastic's EcsEncoder 1.7.0 for Logback writes nothing of SLF4J's key-value pairs.
#
# A guess would be that logger.atInfo().addKeyValue("order", 42) becomes a field, as the MDC's entries do and as
# LogstashEncoder 9.0 does. The pair is dropped without a word; only the MDC and its own markers and arguments get
# there.
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
  <dependency><groupId>co.elastic.logging</groupId><artifactId>logback-ecs-encoder</artifactId><version>1.7.0</version></dependency>
  <dependency><groupId>net.logstash.logback</groupId><artifactId>logstash-logback-encoder</artifactId><version>9.0</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import ch.qos.logback.classic.*;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.read.ListAppender;
import co.elastic.logging.logback.EcsEncoder;
import java.util.List;
import net.logstash.logback.encoder.LogstashEncoder;
import org.slf4j.*;

public class Main {
  public static void main(String[] args) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    events.start();
    context.getLogger("a").addAppender(events);
    MDC.put("user", "mdc-value");
    LoggerFactory.getLogger("a").atInfo().addKeyValue("order", "pair-value").log("paid");
    for (Encoder<ILoggingEvent> encoder : List.of(new LogstashEncoder(), new EcsEncoder())) {
      encoder.setContext(context);
      encoder.start();
      String json = new String(encoder.encode(events.list.get(0)));
      System.out.println(encoder.getClass().getSimpleName() + ": MDC "
          + (json.contains("mdc-value") ? "there" : "missing") + ", pair "
          + (json.contains("pair-value") ? "there" : "missing"));
    }
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
LogstashEncoder: MDC there, pair there
EcsEncoder: MDC there, pair missing
END
