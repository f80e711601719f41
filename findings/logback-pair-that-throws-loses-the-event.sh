#!/usr/bin/env bash
# A key-value pair whose toString() throws loses the whole event in Logback 1.5.38, with %kvp and with JsonEncoder; the
# same object as an argument of the message does not.
#
# A guess would be that both print [FAILED toString()], as SLF4J does for arguments. The exception leaves the encoder,
# the appender turns it into an ERROR status, and the log has no line. In AsyncAppender it is the worker that meets it,
# so the caller's try has no part in it.
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
import ch.qos.logback.classic.encoder.*;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.nio.file.*;
import org.slf4j.LoggerFactory;

public class Main {
  static final LoggerContext CONTEXT = (LoggerContext) LoggerFactory.getILoggerFactory();

  public static void main(String[] args) throws Exception {
    CONTEXT.reset();
    PatternLayoutEncoder pattern = new PatternLayoutEncoder();
    pattern.setPattern("%msg %kvp%n");
    log("pattern", pattern);
    JsonEncoder json = new JsonEncoder();
    json.setWithFormattedMessage(true);
    log("JsonEncoder", json);
  }

  static void log(String name, Encoder<ILoggingEvent> encoder) throws Exception {
    encoder.setContext(CONTEXT);
    encoder.start();
    FileAppender<ILoggingEvent> appender = new FileAppender<>();
    appender.setContext(CONTEXT);
    appender.setName(name);
    appender.setFile(name + ".log");
    appender.setEncoder(encoder);
    appender.start();
    ch.qos.logback.classic.Logger logger = CONTEXT.getLogger(name);
    logger.setAdditive(false);
    logger.addAppender(appender);
    Object broken = new Object() {
      @Override
      public String toString() {
        throw new IllegalStateException("lazy field");
      }
    };
    logger.atInfo().log("first");
    logger.atInfo().addKeyValue("key", broken).log("with a pair");
    logger.atInfo().log("last");
    appender.stop();
    String text = Files.readString(Path.of(name + ".log"));
    for (String message : new String[] {"first", "with a pair", "last"}) {
      System.out.println(name + ", " + message + ": " + (text.contains(message) ? "there" : "missing"));
    }
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
pattern, first: there
pattern, with a pair: missing
pattern, last: there
JsonEncoder, first: there
JsonEncoder, with a pair: missing
JsonEncoder, last: there
END
