#!/usr/bin/env bash
# After Logback's configuration has been loaded again, Micrometer 1.15.12 counts in logback.events what a turbo filter
# of that configuration denies. Before, it did not.
#
# A guess would be that the meter counts the events that are logged, and the same ones after a reload by scan="true".
# The meter is itself a turbo filter, which counts what those before it let through. It is added after those of the
# first configuration. A reset removes all; it adds itself again at once, so those of the second come after it.
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
  <dependency><groupId>io.micrometer</groupId><artifactId>micrometer-core</artifactId><version>1.15.12</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import ch.qos.logback.classic.*;
import ch.qos.logback.classic.joran.JoranConfigurator;
import io.micrometer.core.instrument.binder.logging.LogbackMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import org.slf4j.LoggerFactory;

public class Main {
  static final LoggerContext CONTEXT = (LoggerContext) LoggerFactory.getILoggerFactory();
  static SimpleMeterRegistry registry;

  public static void main(String[] args) throws Exception {
    load();
    registry = new SimpleMeterRegistry();
    try (LogbackMetrics metrics = new LogbackMetrics()) {
      metrics.bindTo(registry);
      System.out.println("100 equal errors, counted: " + log());
      load();
      System.out.println("100 equal errors, counted after a reload: " + log());
    }
  }

  static void load() throws Exception {
    CONTEXT.reset();
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(CONTEXT);
    configurator.doConfigure(new ByteArrayInputStream("""
        <configuration>
          <turboFilter class="ch.qos.logback.classic.turbo.DuplicateMessageFilter">
            <allowedRepetitions>0</allowedRepetitions>
          </turboFilter>
        </configuration>
        """.getBytes()));
  }

  static long log() {
    long before = count();
    for (int i = 0; i < 100; i++) {
      CONTEXT.getLogger("a").error("the same");
    }
    return count() - before;
  }

  static long count() {
    return (long) registry.get("logback.events").tag("level", "error").counter().count();
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
100 equal errors, counted: 1
100 equal errors, counted after a reload: 100
END
