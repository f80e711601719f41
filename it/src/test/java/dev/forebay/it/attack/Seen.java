package dev.forebay.it.attack;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import dev.forebay.NonBlockingAppender;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.time.Duration;

/** One appender and how to look at it. */
record Seen(Appender<ILoggingEvent> appender) {
  LedgerSnapshot snapshot() {
    return appender instanceof TieredAppender tiered
        ? tiered.snapshot()
        : ((NonBlockingAppender) appender).snapshot();
  }

  boolean flush(Duration timeout) {
    return appender instanceof TieredAppender tiered
        ? tiered.flush(timeout)
        : ((NonBlockingAppender) appender).flush(timeout);
  }
}
