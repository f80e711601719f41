#!/usr/bin/env bash
# What java.util.logging's MemoryHandler keeps and pushes through jul-to-slf4j 2.0.18 bears the time and the thread of
# the push, and a level of one's own between WARNING and SEVERE becomes ERROR.
#
# A guess would be that the record's own time and thread stand in the log, since LogRecord has both and Logback's event
# can be given them. The bridge makes a new call of each record.
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
  <dependency><groupId>org.slf4j</groupId><artifactId>jul-to-slf4j</artifactId><version>2.0.18</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.*;
import java.util.logging.*;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

public class Main {
  public static void main(String[] args) throws Exception {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    events.start();
    context.getLogger("a").addAppender(events);
    MemoryHandler memory = new MemoryHandler(new SLF4JBridgeHandler(), 10, Level.OFF);
    Thread worker = new Thread(() -> {
      LogRecord record = new LogRecord(new Level("AUDIT", 950) {}, "paid");
      record.setLoggerName("a");
      record.setInstant(Instant.now().minus(Duration.ofDays(1)));
      memory.publish(record);
    }, "worker");
    worker.start();
    worker.join();
    memory.push();
    ILoggingEvent event = events.list.get(0);
    long age = Duration.between(event.getInstant(), Instant.now()).toHours();
    System.out.println("logged a day ago by worker at 950: now " + age + " hours old, by "
        + event.getThreadName() + ", " + event.getLevel());
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
logged a day ago by worker at 950: now 0 hours old, by main, ERROR
END
