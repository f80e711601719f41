package dev.forebay.pipeline;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.forebay.LimitOptions;
import dev.forebay.NonBlockingAppender;
import dev.forebay.benchmarks.Meter;
import dev.forebay.benchmarks.SampleEvents;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a limit costs an appender's call: none, of another logger only, one that lets all pass, one
 * that refuses nearly all. Bursts go into an empty ring that holds several, as in {@link
 * RingBenchmark}; the events have been formatted.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class LimitBenchmark {

  private static final int BATCH = 1000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Which limit. */
  @Param({"none", "elsewhere", "passes", "refuses"})
  public String limit;

  private NonBlockingAppender appender;
  private ILoggingEvent[] events;
  private long offered;

  /** Starts the appender. */
  @Setup(Level.Trial)
  public void setUp() {
    LoggerContext context = new LoggerContext();
    events = SampleEvents.of(context, BATCH, BATCH);
    appender = new NonBlockingAppender();
    appender.setContext(context);
    appender.setName("LIMITED");
    if (!limit.equals("none")) {
      appender.addLimit(options());
    }
    Sink sink = new Sink();
    sink.setContext(context);
    appender.addAppender(sink);
    appender.start();
  }

  private LimitOptions options() {
    LimitOptions options = new LimitOptions();
    options.setLogger(limit.equals("elsewhere") ? "no.such.logger" : "");
    options.setPerSecond(limit.equals("refuses") ? 1 : 1_000_000);
    options.setBurst(limit.equals("refuses") ? 1 : 1_000_000_000);
    options.setExempt("OFF");
    return options;
  }

  /** Takes events and does nothing. */
  private static final class Sink extends AppenderBase<ILoggingEvent> {
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the flusher alone calls it
    public void doAppend(ILoggingEvent event) {}

    @Override
    protected void append(ILoggingEvent event) {}
  }

  /** Waits for the flusher. */
  @Setup(Level.Invocation)
  public void pause() {
    if (!appender.flush(PATIENCE)) {
      throw new IllegalStateException(
          "The ring is not empty after %s: run void".formatted(PATIENCE));
    }
  }

  /** A thousand calls. */
  @Benchmark
  @Threads(1)
  @OperationsPerInvocation(BATCH)
  public void calls(Meter meter) {
    meter.begin();
    for (ILoggingEvent event : events) {
      appender.doAppend(event);
    }
    meter.end(BATCH, 0);
    offered += BATCH;
  }

  /** Throws when an event is not counted, or dropped for another reason. */
  @TearDown(Level.Trial)
  public void tearDown() {
    appender.stop();
    LedgerSnapshot account = appender.snapshot();
    long limited = account.dropped(DropReason.LIMITED);
    if (account.offered() - account.reports() != offered
        || account.delivered() + limited != account.offered()
        || limit.equals("refuses") != (limited > 0)) {
      throw new IllegalStateException("of %d calls: %s: run void".formatted(offered, account));
    }
  }
}
