package dev.forebay.benchmarks;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import dev.forebay.NonBlockingAppender;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import net.logstash.logback.appender.LoggingEventAsyncDisruptorAppender;
import net.logstash.logback.appender.listener.AppenderListener;

/** The appenders that are compared: all defaults, but for the ring size and what a name says. */
public enum AppenderKind {
  /** The floor: Logback's own cost of a log call. Keeps nothing, so it has no account. */
  NOOP {
    @Override
    Subject start(LoggerContext context, DelegateKind delegate, CountingAppender behind) {
      return started(new FloorAppender(false), context, behind, () -> 0);
    }
  },

  /** The floor of every appender that passes events to another thread. Has no account either. */
  PREPARE_ONLY {
    @Override
    Subject start(LoggerContext context, DelegateKind delegate, CountingAppender behind) {
      return started(new FloorAppender(true), context, behind, () -> 0);
    }
  },

  FOREBAY {
    @Override
    Subject start(LoggerContext context, DelegateKind delegate, CountingAppender behind) {
      NonBlockingAppender appender = new NonBlockingAppender();
      appender.setRingBufferSize(RING_SIZE);
      appender.addAppender(behind);
      return started(appender, context, behind, () -> appender.snapshot().dropped());
    }
  },

  /** Ring, spool in memory, shipper and a log on the disk, forced once a second. */
  TIERED {
    @Override
    Subject start(LoggerContext context, DelegateKind delegate, CountingAppender behind) {
      return TieredSubject.start(context, delegate);
    }
  },

  /** Discards INFO and below, without a word, when less than a fifth of the queue is free. */
  ASYNC_DEFAULT {
    @Override
    Subject start(LoggerContext context, DelegateKind delegate, CountingAppender behind) {
      return started(async(behind), context, behind, () -> 0);
    }
  },

  /** Discards nothing: a full queue blocks the caller. */
  ASYNC_KEEP_ALL {
    @Override
    Subject start(LoggerContext context, DelegateKind delegate, CountingAppender behind) {
      AsyncAppender appender = async(behind);
      appender.setDiscardingThreshold(0);
      return started(appender, context, behind, () -> 0);
    }
  },

  ASYNC_NEVER_BLOCK {
    @Override
    Subject start(LoggerContext context, DelegateKind delegate, CountingAppender behind) {
      AsyncAppender appender = async(behind);
      appender.setNeverBlock(true);
      return started(appender, context, behind, () -> 0);
    }
  },

  /** With a listener, since that is how this appender tells of its drops. */
  LOGSTASH_DISRUPTOR {
    @Override
    Subject start(LoggerContext context, DelegateKind delegate, CountingAppender behind) {
      LoggingEventAsyncDisruptorAppender appender = new LoggingEventAsyncDisruptorAppender();
      appender.setRingBufferSize(RING_SIZE);
      appender.setAddDefaultStatusListener(false);
      appender.addAppender(behind);
      LongAdder dropped = new LongAdder();
      appender.addListener(
          new AppenderListener<>() {
            @Override
            public void eventAppendFailed(
                Appender<ILoggingEvent> from, ILoggingEvent event, Throwable reason) {
              dropped.increment();
            }
          });
      return started(appender, context, behind, dropped::sum);
    }
  };

  /** Slots of every ring and queue: the default of both ring appenders. */
  static final int RING_SIZE = 8192;

  /**
   * Makes and starts an appender of this kind.
   *
   * @param delegate names the encoder of an appender that has one
   * @param behind what all others pass their events to
   */
  abstract Subject start(LoggerContext context, DelegateKind delegate, CountingAppender behind);

  /** Whether this kind passes events on. */
  boolean delivers() {
    return this != NOOP && this != PREPARE_ONLY;
  }

  /** Whether this kind promises that no event is unaccounted for. */
  boolean promisesAccount() {
    return this == FOREBAY || this == TIERED;
  }

  private static AsyncAppender async(Appender<ILoggingEvent> behind) {
    AsyncAppender appender = new AsyncAppender();
    appender.setQueueSize(RING_SIZE);
    appender.addAppender(behind);
    return appender;
  }

  private static Subject started(
      Appender<ILoggingEvent> appender,
      LoggerContext context,
      CountingAppender behind,
      LongSupplier dropped) {
    start(appender, context);
    return new Subject(appender, behind::arrived, dropped, () -> {}, () -> {});
  }

  static void start(Appender<ILoggingEvent> appender, LoggerContext context) {
    appender.setName("MEASURED");
    appender.setContext(context);
    appender.start();
    if (!appender.isStarted()) {
      throw new IllegalStateException(
          appender.getClass()
              + " did not start: "
              + context.getStatusManager().getCopyOfStatusList());
    }
  }
}
