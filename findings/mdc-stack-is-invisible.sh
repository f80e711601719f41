#!/usr/bin/env bash
# Logback 1.5.38 has SLF4J's MDC.pushByKey, but nothing prints what was pushed, and MDC.clear() keeps it.
#
# A guess would be that %X{key} and the JSON encoders show the top of the stack, or all of it. Neither %X, JsonEncoder
# nor LogstashEncoder 9.0 looks at it. A pool's thread that calls MDC.clear() between requests still has the last
# request's stack; only clearDequeByKey of each key empties it.
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
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import ch.qos.logback.classic.*;
import ch.qos.logback.classic.encoder.*;
import ch.qos.logback.classic.spi.*;
import ch.qos.logback.core.encoder.Encoder;
import java.util.List;
import net.logstash.logback.encoder.LogstashEncoder;
import org.slf4j.*;

public class Main {
  public static void main(String[] args) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    MDC.put("map", "from put");
    MDC.pushByKey("stack", "one");
    MDC.pushByKey("stack", "two");
    ILoggingEvent event = new LoggingEvent("", context.getLogger("a"), Level.INFO, "hello", null, null);
    PatternLayoutEncoder pattern = new PatternLayoutEncoder();
    pattern.setPattern("X=[%X] map=[%X{map}] stack=[%X{stack}]");
    System.out.println("pattern: " + encode(pattern, context, event));
    for (Encoder<ILoggingEvent> json : List.of(new JsonEncoder(), new LogstashEncoder())) {
      String line = encode(json, context, event);
      System.out.println(json.getClass().getSimpleName() + ": 'from put' is "
          + (line.contains("from put") ? "there" : "missing") + ", 'two' is "
          + (line.contains("two") ? "there" : "missing"));
    }
    MDC.clear();
    System.out.println("after clear(): map " + MDC.getCopyOfContextMap()
        + ", stack " + MDC.getMDCAdapter().getCopyOfDequeByKey("stack"));
  }

  static String encode(Encoder<ILoggingEvent> encoder, LoggerContext context, ILoggingEvent event) {
    encoder.setContext(context);
    encoder.start();
    return new String(encoder.encode(event));
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
pattern: X=[map=from put] map=[from put] stack=[]
JsonEncoder: 'from put' is there, 'two' is missing
LogstashEncoder: 'from put' is there, 'two' is missing
after clear(): map null, stack [two, one]
END
