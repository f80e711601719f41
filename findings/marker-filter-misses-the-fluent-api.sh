#!/usr/bin/env bash
# Logback's MarkerFilter that accepts a marker lets logger.debug(marker, …) through at level INFO, but never
# logger.atDebug().addMarker(marker).log(…), though its denial works for both.
#
# A guess would be that the two are the same call. Logback 1.5.38 asks the turbo filters about the level when atDebug()
# is called; there is no marker yet, so it returns a builder that does nothing. Where the level is enabled the filters
# are asked again with the marker, which is why a filter that denies does its work.
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
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import ch.qos.logback.classic.*;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.turbo.MarkerFilter;
import ch.qos.logback.core.read.ListAppender;
import org.slf4j.*;

public class Main {
  static final LoggerContext CONTEXT = (LoggerContext) LoggerFactory.getILoggerFactory();

  public static void main(String[] args) {
    CONTEXT.reset();
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    events.start();
    ch.qos.logback.classic.Logger logger = CONTEXT.getLogger("a");
    logger.setLevel(Level.INFO);
    logger.addAppender(events);
    filter("AUDIT", "ACCEPT");
    filter("SECRET", "DENY");
    Marker audit = MarkerFactory.getMarker("AUDIT");
    Marker secret = MarkerFactory.getMarker("SECRET");

    logger.debug(audit, "accepted, call");
    logger.atDebug().addMarker(audit).log("accepted, fluent");
    logger.info(secret, "denied, call");
    logger.atInfo().addMarker(secret).log("denied, fluent");
    events.list.forEach(event -> System.out.println("logged: " + event.getMessage()));
  }

  static void filter(String marker, String onMatch) {
    MarkerFilter filter = new MarkerFilter();
    filter.setContext(CONTEXT);
    filter.setMarker(marker);
    filter.setOnMatch(onMatch);
    filter.start();
    CONTEXT.addTurboFilter(filter);
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
logged: accepted, call
END
