package dev.forebay.benchmarks;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import dev.forebay.agent.NanoClock;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.slf4j.Logger;

/**
 * One appender of one kind at the root of a logger context of its own, as in an application, and
 * the account of its events. Shared by the calling threads of a fork.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH fills the parameters, then calls setUp
public class AppenderUnderTest {

  /**
   * An appender without an account, from which nothing has arrived for so long, counts as empty.
   */
  private static final long QUIET_NS = 200_000_000;

  private static final long DEADLINE_S = 60;
  private static final long POLL_NS = 200_000;

  @Param public AppenderKind appender;

  @Param("COUNT")
  public DelegateKind delegate;

  private final LongAdder offered = new LongAdder();
  private LoggerContext context;
  private Subject subject;
  private Logger logger;
  private CyclicBarrier callersAtRest;

  /** The two accounts are written by the last caller of an iteration, in the barrier. */
  private Account total = Account.NOTHING;

  private Account iteration = Account.NOTHING;

  /** Starts the appender. */
  @Setup(Level.Trial)
  public void setUp(BenchmarkParams benchmark) {
    start(benchmark.getThreads());
  }

  void start(int callers) {
    callersAtRest = new CyclicBarrier(callers, this::closeIteration);
    context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    subject = appender.start(context, delegate, delegate.start(context, SampleEvents.LOGGER));
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(subject.appender());
    logger = context.getLogger(SampleEvents.LOGGER);
  }

  /** Stops the appender. Throws, which makes the run void, when its promised account is wrong. */
  @TearDown(Level.Trial)
  public void tearDown() {
    subject.appender().stop();
    context.stop();
    Account last = account();
    subject.cleanUp().run();
    if (appender.promisesAccount()) {
      last.requireNoneUnaccounted(appender.name());
    }
  }

  Appender<ILoggingEvent> appender() {
    return subject.appender();
  }

  Logger logger() {
    return logger;
  }

  /** Adds to the log calls made so far. Any thread. */
  void addOffered(long calls) {
    offered.add(calls);
  }

  /**
   * Ends the iteration of one caller, which has added all its calls: waits for the other callers,
   * and for what is still on its way.
   *
   * @return the account of the whole iteration for one of the callers, an empty one for the others
   */
  Account endIteration() {
    try {
      int stillMissing = callersAtRest.await(2 * DEADLINE_S, TimeUnit.SECONDS);
      return stillMissing == 0 ? iteration : Account.NOTHING;
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("Not all callers came to rest: run void", e);
    }
  }

  private void closeIteration() {
    awaitArrivals();
    Account now = account();
    iteration = now.since(total);
    total = now;
  }

  /** Waits until no event is on its way any more, as far as an outsider can tell. */
  void awaitArrivals() {
    if (account().unaccounted() > 0) {
      subject.hurry().run();
    }
    long startNs = NanoClock.SYSTEM.nanoTime();
    long lastArrivalNs = startNs;
    long arrived = delivered();
    while (account().unaccounted() > 0) {
      LockSupport.parkNanos(this, POLL_NS);
      long nowNs = NanoClock.SYSTEM.nanoTime();
      if (delivered() != arrived) {
        arrived = delivered();
        lastArrivalNs = nowNs;
      } else if (!appender.promisesAccount() && nowNs - lastArrivalNs > QUIET_NS) {
        return;
      }
      if (nowNs - startNs > TimeUnit.SECONDS.toNanos(DEADLINE_S)) {
        throw new IllegalStateException(
            "%s still delivers after %d s: run void".formatted(appender, DEADLINE_S));
      }
    }
  }

  private long delivered() {
    return subject.delivered().getAsLong();
  }

  private Account account() {
    return appender.delivers()
        ? new Account(offered.sum(), delivered(), subject.dropped().getAsLong())
        : Account.NOTHING;
  }
}
