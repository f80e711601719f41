#!/usr/bin/env bash
# logstash-logback-encoder 9.0: <droppedWarnFrequency>1</droppedWarnFrequency> of the asynchronous appenders gives no
# warning while events are dropped; 2 gives one for each second event, the default 1,000 for the first and every
# 1,000th.
#
# A guess would be a warning for each dropped event. The appender warns where the number of drops leaves a remainder of
# 1 when divided by the frequency, which no number does for 1.
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
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.CountDownLatch;
import net.logstash.logback.appender.LoggingEventAsyncDisruptorAppender;
import org.slf4j.LoggerFactory;

public class Main {
  public static void main(String[] args) throws Exception {
    for (int frequency : new int[] {1000, 2, 1}) {
      LoggerContext context = new LoggerContext();
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch inAppender = new CountDownLatch(1);
      AppenderBase<ILoggingEvent> slow = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          inAppender.countDown();
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        }
      };
      slow.setContext(context);
      slow.start();
      LoggingEventAsyncDisruptorAppender async = new LoggingEventAsyncDisruptorAppender();
      async.setContext(context);
      async.setRingBufferSize(2);
      async.setDroppedWarnFrequency(frequency);
      async.setAddDefaultStatusListener(false);
      async.addAppender(slow);
      async.start();
      ch.qos.logback.classic.Logger logger = context.getLogger("a");
      logger.addAppender(async);
      logger.info("held");
      inAppender.await();
      for (int i = 0; i < 11; i++) {
        logger.info("one of two fills the ring, ten are dropped");
      }
      long warnings = context.getStatusManager().getCopyOfStatusList().stream()
          .filter(status -> status.getMessage().contains("ropped"))
          .count();
      System.out.println("droppedWarnFrequency " + frequency + ": " + warnings + " warnings of drops");
      release.countDown();
      async.stop();
    }
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
droppedWarnFrequency 1000: 1 warnings of drops
droppedWarnFrequency 2: 5 warnings of drops
droppedWarnFrequency 1: 0 warnings of drops
END
