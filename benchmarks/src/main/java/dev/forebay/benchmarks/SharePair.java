package dev.forebay.benchmarks;

import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/** The floor that every asynchronous appender stands on, and such an appender, in one JVM. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH fills the parameters
public class SharePair {

  @Param({"FOREBAY", "TIERED"})
  public AppenderKind appender;

  @Param("COUNT")
  public DelegateKind delegate;

  private final AppenderUnderTest floorTarget = new AppenderUnderTest();
  private final AppenderUnderTest appenderTarget = new AppenderUnderTest();

  /** Starts both. */
  @Setup(Level.Trial)
  public void setUp(BenchmarkParams benchmark) {
    start(floorTarget, AppenderKind.PREPARE_ONLY, benchmark.getThreads());
    start(appenderTarget, appender, benchmark.getThreads());
  }

  private void start(AppenderUnderTest target, AppenderKind kind, int callers) {
    target.appender = kind;
    target.delegate = delegate;
    target.start(callers);
  }

  /** Stops both; throws when the promised account is wrong. */
  @TearDown(Level.Trial)
  public void tearDown() {
    floorTarget.tearDown();
    appenderTarget.tearDown();
  }

  AppenderUnderTest floor() {
    return floorTarget;
  }

  AppenderUnderTest appender() {
    return appenderTarget;
  }
}
