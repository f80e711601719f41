package dev.forebay.tiered;

import dev.forebay.observe.ControlMXBean;
import dev.forebay.observe.TieredAppenderMXBean;
import dev.forebay.pipeline.ControlEndpoint;
import dev.forebay.pipeline.JmxRegistration;
import dev.forebay.pipeline.NamedBean;
import dev.forebay.pipeline.PipelineBean;
import dev.forebay.tiered.control.ControlPost;
import dev.forebay.tiered.control.TimedLevels;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.jvm.JvmSettings;
import dev.forebay.tiered.spool.OwnSpool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What others see of one start of a tiered appender, and may do to it. Any thread. */
final class TieredControl extends PipelineBean implements ControlMXBean {

  /** How long a request waits for the disk. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final TieredStart start;
  private final @Nullable Flight flight;

  private TieredControl(TieredStart start) {
    super(start.ledger, start.appender.gate);
    this.start = start;
    this.flight = start.flight;
  }

  /** In JMX and at the socket, or with {@code <control>false</control>} to be seen in JMX only. */
  static ControlEndpoint endpoint(TieredStart start) {
    TieredControl control = new TieredControl(start);
    boolean mayAll = start.settings.control();
    JmxRegistration jmx =
        new JmxRegistration(
            start.appender.loggerContext(),
            start.ring.appender(),
            mayAll
                ? new NamedBean(control, ControlMXBean.class)
                : new NamedBean(control, TieredAppenderMXBean.class),
            start.voice);
    return mayAll ? new ControlPost(control, jmx, control::spoolDirectory, start.voice) : jmx;
  }

  /** Null if there is none that outlives the process. */
  private @Nullable Path spoolDirectory() {
    OwnSpool spool = start.spool();
    return spool == null || spool.isInHeap() ? null : spool.path();
  }

  /** The watermark first: a reader of the account finds the events that it covers. */
  @Override
  public Map<String, Long> getAccount() {
    long durableUpTo = start.account.durableUpTo();
    Map<String, Long> shown = super.getAccount();
    shown.put("durableUpTo", durableUpTo);
    shown.put("recovered", start.account.recovered());
    OwnSpool spool = start.spool();
    shown.put("spoolBytes", spool == null ? 0 : spool.usedBytes());
    shown.put("spoolLimitBytes", spool == null ? 0 : spool.limitBytes());
    JvmSettings jvm = start.settings.jvm();
    if (jvm != null) {
      shown.put("lostBytes", jvm.account().lostBytes());
    }
    if (flight != null) {
      flight.show(shown);
    }
    return shown;
  }

  @Override
  public String getSpoolPath() {
    OwnSpool spool = start.spool();
    if (spool == null) {
      return "";
    }
    return spool.isInHeap() ? "heap" : spool.path().toString();
  }

  @Override
  public String getLastDump() {
    return flight == null ? "" : flight.lastDump();
  }

  @Override
  public String dump(String reason) {
    if (flight == null) {
      throw new IllegalStateException(
          "no flight recorder is configured: add <flightRecorder> to the appender");
    }
    if (!flight.dump(reason)) {
      throw new IllegalStateException(
          "no dump: one is asked for already, or nothing is recorded yet");
    }
    return "dump asked for; a line in the log names it when it is complete";
  }

  @Override
  public Map<String, String> getLevels() {
    return TimedLevels.of(start.appender.loggerContext()).show();
  }

  @Override
  public String setLevel(String logger, String level, int seconds) {
    return TimedLevels.of(start.appender.loggerContext()).set(logger, level, seconds);
  }

  /** Flushes first, so that the file ends with what was logged before. */
  @Override
  public String rotate() {
    boolean unused = start.appender.flush(PATIENCE);
    Future<String> answer = start.requestRoll();
    try {
      String obstacle = answer.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
      if (obstacle.isEmpty()) {
        return "rolled " + start.appender.rawFileProperty();
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
