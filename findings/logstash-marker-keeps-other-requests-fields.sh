#!/usr/bin/env bash
# LogstashMarker.and() of logstash-logback-encoder 9.0 changes the marker it is called on: a shared one gathers the
# fields of all requests, and events that were logged before get those of later ones.
#
# A guess would be that base.and(append("user", name)) is a new marker, as a fluent method's result suggests. It adds to
# the base and returns it. With the base in a static field each line has the users of all calls so far, and grows.
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
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import net.logstash.logback.encoder.LogstashEncoder;
import net.logstash.logback.marker.*;
import org.slf4j.LoggerFactory;

public class Main {
  static final LogstashMarker BASE = Markers.append("app", "shop");

  public static void main(String[] args) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    events.start();
    ch.qos.logback.classic.Logger logger = context.getLogger("a");
    logger.addAppender(events);
    LogstashEncoder encoder = new LogstashEncoder();
    encoder.setContext(context);
    encoder.start();

    logger.info(BASE.and(Markers.append("user", "ann")), "login");
    print("ann's event, at once", encoder, events.list.get(0));
    logger.info(BASE.and(Markers.append("user", "bob")), "login");
    print("bob's event", encoder, events.list.get(1));
    print("ann's event, later (an asynchronous appender's view)", encoder, events.list.get(0));
  }

  static void print(String what, LogstashEncoder encoder, ILoggingEvent event) {
    System.out.println(what + ": " + new String(encoder.encode(event)).replaceAll(".*20000,|}\\s*$", ""));
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
ann's event, at once: "app":"shop","user":"ann"
bob's event: "app":"shop","user":"ann","user":"bob"
ann's event, later (an asynchronous appender's view): "app":"shop","user":"ann","user":"bob"
END
