package dev.forebay.tiered;

import dev.forebay.agent.AgentThread;
import dev.forebay.observe.ControlMXBean;
import dev.forebay.tiered.control.TimedLevels;
import dev.forebay.tiered.file.RollingLog;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.spool.OwnSpool;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What may be done to one start of a tiered appender while it runs. Any thread. */
final class TieredControl extends TieredBean implements ControlMXBean {

  /** How long a request waits for the disk. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final TieredAppender appender;
  private final RollingLog log;
  private final AgentThread shipperThread;

  private TieredControl(
      StartContext start,
      RollingLog log,
      AgentThread shipperThread,
      Supplier<@Nullable OwnSpool> place,
      ShippingMetrics account,
      @Nullable Flight flight) {
    super(start, place, account, flight);
    this.appender = start.appender();
    this.log = log;
    this.shipperThread = shipperThread;
  }

  /** As an interface, so that whoever verifies the caller loads nothing. */
  static ControlMXBean of(
      StartContext start,
      RollingLog log,
      AgentThread shipperThread,
      Supplier<@Nullable OwnSpool> place,
      ShippingMetrics account,
      @Nullable Flight flight) {
    return new TieredControl(start, log, shipperThread, place, account, flight);
  }

  @Override
  public Map<String, String> getLevels() {
    return TimedLevels.of(appender.loggerContext()).show();
  }

  @Override
  public String setLevel(String logger, String level, int seconds) {
    return TimedLevels.of(appender.loggerContext()).set(logger, level, seconds);
  }

  /** Flushes first, so that the file ends with what was logged before. */
  @Override
  public String rotate() {
    boolean unused = appender.flush(PATIENCE);
    Future<String> answer = log.requestRoll();
    shipperThread.wake();
    try {
      String obstacle = answer.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
      if (obstacle.isEmpty()) {
        return "rolled " + appender.rawFileProperty();
      }
      throw new IllegalStateException("not rolled: " + obstacle);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "not rolled in %d s, but as soon as the log can be written: %s"
              .formatted(PATIENCE.toSeconds(), getDegraded()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted; the log is rolled soon", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
