#!/usr/bin/env bash
# One event that passes through Logback's AsyncAppender tells two values of one object: the message that of the call,
# the key-value pair that of the moment of writing.
#
# A guess would be that both are as they were when the call was made, since AsyncAppender prepares events for that.
# Logback 1.5.38 then formats the message and copies the MDC, but keeps the objects of key-value pairs (and of the
# arguments that JSON encoders write), which the worker turns into text when it comes to them.
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
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.*;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

public class Main {
  public static void main(String[] args) throws InterruptedException {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    PatternLayoutEncoder pattern = new PatternLayoutEncoder();
    pattern.setContext(context);
    pattern.setPattern("message: %msg, pair: %kvp");
    pattern.start();
    CountDownLatch callHasReturned = new CountDownLatch(1);
    CountDownLatch written = new CountDownLatch(1);
    AppenderBase<ILoggingEvent> out = new AppenderBase<>() {
      @Override
      protected void append(ILoggingEvent event) {
        try {
          callHasReturned.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        System.out.println(new String(pattern.encode(event)));
        written.countDown();
      }
    };
    out.setContext(context);
    out.start();
    AsyncAppender async = new AsyncAppender();
    async.setContext(context);
    async.addAppender(out);
    async.start();
    Logger logger = context.getLogger("a");
    logger.addAppender(async);

    List<String> cart = new ArrayList<>(List.of("apple"));
    logger.atInfo().addKeyValue("cart", cart).addArgument(cart).log("cart is {}");
    cart.clear();
    callHasReturned.countDown();
    written.await();
    async.stop();
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
message: cart is [apple], pair: cart="[]"
END
