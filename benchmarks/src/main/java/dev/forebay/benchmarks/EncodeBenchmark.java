package dev.forebay.benchmarks;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * The encoder alone, the largest part of the flusher's work and the user's choice: with events that
 * share a millisecond, as at a high rate, and with one each, whose timestamps are all formatted.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class EncodeBenchmark {

  private static final int EVENTS = 1000;

  /** Prepared events and a started encoder. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  public static class Encoding {

    @Param({"PATTERN", "COMPILED", "LOGSTASH", "JSON_LINES", "COMPOSITE"})
    public EncoderKind encoder;

    @Param({"100", "1"})
    public int eventsPerMs;

    private ILoggingEvent[] events;
    private Encoder<ILoggingEvent> started;

    /** Makes both. */
    @Setup(Level.Trial)
    public void setUp() {
      LoggerContext context = new LoggerContext();
      events = SampleEvents.of(context, EVENTS, eventsPerMs);
      started = encoder.start(context);
    }

    private long encodeAll() {
      long bytes = 0;
      for (ILoggingEvent event : events) {
        bytes += started.encode(event).length;
      }
      return bytes;
    }
  }

  /** One event after the other. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public long encode(Encoding encoding, Meter meter) {
    meter.begin();
    long bytes = encoding.encodeAll();
    meter.end(EVENTS, bytes);
    return bytes;
  }
}
