package dev.forebay.benchmarks.lab.child;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.status.Status;
import dev.forebay.NonBlockingAppender;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import net.logstash.logback.appender.LoggingEventAsyncDisruptorAppender;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Logback with the one appender of its root logger. */
final class LogbackBackend implements Backend {

  /** What our appenders can tell of themselves. */
  private record Ours(Supplier<LedgerSnapshot> account, Predicate<Duration> flush) {

    static @Nullable Ours of(Appender<ILoggingEvent> appender) {
      if (appender instanceof TieredAppender tiered) {
        return new Ours(tiered::snapshot, tiered::flush);
      }
      return appender instanceof NonBlockingAppender ring
          ? new Ours(ring::snapshot, ring::flush)
          : null;
    }
  }

  private static final Duration LONGEST_STOP = Duration.ofSeconds(60);

  private final LoggerContext context;
  private final @Nullable Ours ours;
  private final CountedDrops drops = new CountedDrops();

  /** Starts it. */
  LogbackBackend() {
    context = (LoggerContext) LoggerFactory.getILoggerFactory();
    Iterator<Appender<ILoggingEvent>> appenders =
        context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
    if (!appenders.hasNext()) {
      throw failed("no appender");
    }
    Appender<ILoggingEvent> appender = appenders.next();
    if (!appender.isStarted()) {
      throw failed("an appender that did not start");
    }
    if (statuses().stream().anyMatch(status -> status.getEffectiveLevel() >= Status.ERROR)) {
      throw failed("errors");
    }
    ours = Ours.of(appender);
    if (appender instanceof LoggingEventAsyncDisruptorAppender disruptor) {
      disruptor.addListener(drops);
    }
  }

  private IllegalStateException failed(String what) {
    return new IllegalStateException("Logback has " + what + ": " + statuses());
  }

  private List<Status> statuses() {
    return context.getStatusManager().getCopyOfStatusList();
  }

  @Override
  public boolean drain(Duration timeout) {
    return ours != null && ours.flush().test(timeout);
  }

  @Override
  public void stop() {
    boolean unused = drain(LONGEST_STOP); // one that is shipped apart does not wait in its stop
    context.stop();
  }

  @Override
  public long dropped() {
    return ours == null ? drops.count() : ours.account().get().dropped();
  }

  @Override
  public long inFlight() {
    return ours == null ? 0 : ours.account().get().inFlight();
  }

  @Override
  public long held() {
    return ours == null ? 0 : ours.account().get().held();
  }

  @Override
  public long expired() {
    return ours == null ? 0 : ours.account().get().expired();
  }

  @Override
  public long reports() {
    return ours == null ? 0 : ours.account().get().reports();
  }
}
