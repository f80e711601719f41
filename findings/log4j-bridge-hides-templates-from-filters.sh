#!/usr/bin/env bash
# A DuplicateMessageFilter or anything else in Logback that goes by the message's template sees no two events of
# log4j-to-slf4j 2.25.5 as equal: the bridge hands over the formatted text without arguments.
#
# A guess would be that logger.warn("slow: {} ms", n) arrives as it does from SLF4J, whose {} are the same. Spring Boot
# has this bridge on each class path: libraries with Log4j's API go through all filters, and their JSON has no
# arguments.
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
  <dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-to-slf4j</artifactId><version>2.25.5</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import ch.qos.logback.classic.*;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.turbo.DuplicateMessageFilter;
import ch.qos.logback.core.read.ListAppender;
import java.util.Arrays;
import org.apache.logging.log4j.LogManager;
import org.slf4j.LoggerFactory;

public class Main {
  public static void main(String[] args) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    events.start();
    context.getLogger("slf4j").addAppender(events);
    context.getLogger("log4j").addAppender(events);
    DuplicateMessageFilter filter = new DuplicateMessageFilter();
    filter.setAllowedRepetitions(0);
    filter.start();
    context.addTurboFilter(filter);
    for (int i = 1; i <= 3; i++) {
      LoggerFactory.getLogger("slf4j").warn("slow: {} ms", i);
      LogManager.getLogger("log4j").warn("late: {} ms", i);
    }
    events.list.forEach(event -> System.out.println(event.getLoggerName() + ": template '"
        + event.getMessage() + "', arguments " + Arrays.toString(event.getArgumentArray())));
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
slf4j: template 'slow: {} ms', arguments [1]
log4j: template 'late: 1 ms', arguments null
log4j: template 'late: 2 ms', arguments null
log4j: template 'late: 3 ms', arguments null
END
