package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.FailureNotifier;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.ParkEvery;
import dev.forebay.testkit.RecordingListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The reporter, in the first half of the tests without its thread. */
class ReporterTest {

  private static final long INTERVAL_NS = 1000;
  private static final long LONG_NS = TimeUnit.MINUTES.toNanos(1);

  private final Ledger ledger = new Ledger();
  private final RecordingListener listener = new RecordingListener();
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final AtomicLong nowNs = new AtomicLong(500);
  private final RecordingEndpoint endpoint = new RecordingEndpoint();
  private final AgentThread flusher = asleep();
  private final Reporter reporter = reporter(listener);

  private Reporter reporter(RecordingListener told) {
    PipelineContext context =
        new PipelineContext(
            Events.context("reporter"), nowNs::get, () -> 0, (text, cause) -> warnings.add(text));
    return new Reporter(
        new FailureNotifier("RING", ledger, List.of(told), context.warnings()),
        INTERVAL_NS,
        () -> endpoint,
        context,
        flusher,
        "reporter of the test");
  }

  /** A flusher that sleeps until it is stopped. */
  private static AgentThread asleep() {
    Agent agent =
        new Agent() {
          @Override
          public int doWork() {
            return 0;
          }

          @Override
          public long sleepNs(long nowNs) {
            return UNTIL_WOKEN;
          }
        };
    return new AgentThread(
        agent, new ParkEvery(1), "flusher", NanoClock.SYSTEM, thrown -> {}, false);
  }

  private void flusherSleeps() {
    flusher.start();
    Await.until("asleep", () -> flusher.sleepFlag().isUp());
  }

  private boolean isQuiet() {
    return reporter.sleepNs(nowNs.get()) > 0;
  }

  @AfterEach
  void close() {
    flusher.requestStop();
    flusher.join(LONG_NS);
    reporter.close(LONG_NS);
  }

  @Test
  void tellsListenersAtMostOnceAnInterval() {
    drop();
    reporter.doWork();
    assertThat(listener.calls()).isEmpty();
    nowNs.addAndGet(INTERVAL_NS);
    reporter.doWork();
    drop();
    reporter.doWork();
    nowNs.addAndGet(INTERVAL_NS - 1);
    reporter.doWork();
    assertThat(listener.calls("dropped")).containsExactly("dropped 1");
    nowNs.addAndGet(1);
    reporter.doWork();

    assertThat(listener.calls("dropped")).containsExactly("dropped 1", "dropped 1");
  }

  @Test
  void aReportThatIsAskedForIsMadeWhateverTheIntervalSays() {
    drop();
    reporter.doWork();
    assertThat(listener.calls()).isEmpty();
    reporter.requestReport();
    assertThat(reporter.hasReportedDrops()).isFalse();
    reporter.doWork();

    assertThat(reporter.hasReportedDrops()).isTrue();
    assertThat(listener.calls("dropped")).containsExactly("dropped 1");
    drop();
    reporter.doWork();
    assertThat(listener.calls("dropped")).as("asked for once").hasSize(1);
  }

  @Test
  void theFirstDropsAfterASleepAreReportedTogether() {
    reporter.doWork();
    nowNs.addAndGet(10 * INTERVAL_NS + 1);
    drop();
    reporter.doWork();
    drop();
    nowNs.addAndGet(INTERVAL_NS - 2);
    reporter.doWork();
    assertThat(listener.calls()).as("the interval would not have ended yet").isEmpty();
    nowNs.incrementAndGet();
    reporter.doWork();

    assertThat(listener.calls("dropped")).containsExactly("dropped 2");
  }

  @Test
  void sleepsWhileThereIsNothingToReport() {
    flusherSleeps();
    assertThat(isQuiet()).isTrue();
    drop();
    assertThat(isQuiet()).as("a drop is to be reported").isFalse();
    nowNs.addAndGet(INTERVAL_NS);
    reporter.doWork();
    assertThat(isQuiet()).as("the end of the drops is to be reported").isFalse();
    nowNs.addAndGet(INTERVAL_NS);
    reporter.doWork();
    assertThat(listener.calls()).containsExactly("dropped 1", "ended");
    assertThat(reporter.sleepNs(nowNs.get())).isEqualTo(Reporter.QUIET_LOOK_NS);
  }

  @Test
  void pollsWhileTheFlusherIsAwake() {
    assertThat(isQuiet()).isFalse();
    assertThat(reporter.parkNs(0, 0)).isEqualTo(INTERVAL_NS);
  }

  @Test
  void opensTheEndpointSomeTimeAfterTheStart() {
    flusherSleeps();
    nowNs.addAndGet(INTERVAL_NS - 1);
    reporter.doWork();
    assertThat(endpoint.calls).isEmpty();
    assertThat(reporter.sleepNs(nowNs.get())).as("until then").isEqualTo(1);
    nowNs.incrementAndGet();
    reporter.doWork();
    assertThat(endpoint.calls).containsExactly("tended");
    assertThat(reporter.sleepNs(nowNs.get())).isEqualTo(Reporter.QUIET_LOOK_NS);
    reporter.doWork();
    assertThat(endpoint.calls).as("looked at again").containsExactly("tended", "tended");
    assertThat(reporter.finish()).isTrue();
    reporter.doWork();

    assertThat(endpoint.calls).containsExactly("tended", "tended", "closed");
  }

  /** For example while the heap is full. */
  @Test
  void anEndpointThatThrowsIsTendedAgainTenSecondsLater() {
    endpoint.thrown = new OutOfMemoryError("simulated");
    nowNs.addAndGet(INTERVAL_NS);
    assertThatThrownBy(reporter::doWork).isSameAs(endpoint.thrown);
    endpoint.thrown = null;
    nowNs.addAndGet(Reporter.RETRY_NS - 1);
    reporter.doWork();
    assertThat(endpoint.calls).hasSize(1);
    nowNs.addAndGet(1);
    reporter.doWork();

    assertThat(endpoint.calls).hasSize(2);
  }

  /** For example in a runtime without java.management. */
  @Test
  void anEndpointThatCannotBeLoadedIsTriedOnce() {
    PipelineContext context =
        new PipelineContext(Events.context("reporter"), nowNs::get, () -> 0, (text, cause) -> {});
    Reporter bare =
        new Reporter(
            new FailureNotifier("RING", ledger, List.of(), context.warnings()),
            INTERVAL_NS,
            () -> {
              throw new NoClassDefFoundError("simulated");
            },
            context,
            flusher,
            "bare");
    nowNs.addAndGet(INTERVAL_NS);
    assertThatThrownBy(bare::doWork).isInstanceOf(NoClassDefFoundError.class);
    nowNs.addAndGet(Reporter.QUIET_LOOK_NS);

    assertThat(bare.doWork()).isZero();
    bare.leave(LONG_NS);
  }

  @Test
  void aStopBeforeThatOpensNothing() {
    reporter.leave(LONG_NS);
    nowNs.addAndGet(INTERVAL_NS);
    reporter.doWork();
    reporter.finish();

    assertThat(endpoint.calls).isEmpty();
  }

  @Test
  void theEndOfTheJvmIsPassedOn() {
    reporter.endWithJvm();
    assertThat(endpoint.calls).isEmpty();
    shown();
    reporter.endWithJvm();

    assertThat(endpoint.calls).contains("ended");
  }

  @Test
  void anErrorOfTheEndpointEndsNeitherTheThreadNorTheStop() {
    endpoint.thrown = new AssertionError("foreign code");
    shown();
    drop();
    reporter.close(LONG_NS);

    assertThat(endpoint.calls).containsExactly("tended", "closed");
    assertThat(listener.calls()).containsExactly("started RING", "dropped 1", "stopped RING");
    assertThat(warnings).containsExactly("The reporter failed", "The reporter failed");
  }

  @Test
  void leavingWaitsUntilTheEndpointIsClosed() {
    shown();
    reporter.leave(LONG_NS);
    assertThat(endpoint.calls).last().isEqualTo("closed");
    reporter.close(LONG_NS);

    assertThat(endpoint.calls).containsOnlyOnce("closed").last().isEqualTo("closed");
    assertThat(listener.calls()).containsExactly("started RING", "stopped RING");
  }

  private void shown() {
    reporter.start();
    nowNs.addAndGet(INTERVAL_NS);
    Await.until("shown", () -> endpoint.calls.contains("tended"));
  }

  @Test
  void aStopWithoutAThreadEndsAtOnce() {
    reporter.leave(LONG_NS);
    reporter.close(LONG_NS);

    assertThat(listener.calls()).isEmpty();
  }

  @Test
  void aListenerThatBlocksHoldsUpTheStopForALimitedTimeAndIsToldLater() {
    Gate gate = new Gate();
    RecordingListener blocks =
        new RecordingListener() {
          @Override
          public void onAppenderStarted(String appender) {
            gate.pass();
            super.onAppenderStarted(appender);
          }
        };
    Reporter blocked = reporter(blocks);
    blocked.start();
    gate.awaitReached();
    drop();
    blocked.requestReport();
    assertThat(blocked.hasReportedDrops()).isFalse();
    blocked.leave(0);
    blocked.close(0);
    assertThat(blocks.calls()).isEmpty();
    gate.open();

    Await.until("told of the stop too", () -> blocks.calls().contains("stopped RING"));
    assertThat(blocks.calls()).containsExactly("started RING", "dropped 1", "stopped RING");
  }

  @Test
  void anInterruptReachesNoListenerAndShortensNoStepOfAStop() {
    Gate gate = new Gate();
    List<Boolean> interrupted = new CopyOnWriteArrayList<>();
    List<Thread> used = new CopyOnWriteArrayList<>();
    RecordingListener looks =
        new RecordingListener() {
          @Override
          public void onAppenderStarted(String appender) {
            used.add(Thread.currentThread());
            gate.pass();
            interrupted.add(Thread.currentThread().isInterrupted());
          }
        };
    Reporter looked = reporter(looks);
    looked.start();
    gate.awaitReached();
    used.get(0).interrupt();
    Thread stops =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              looked.close(LONG_NS * 1000);
              interrupted.add(Thread.interrupted());
            });
    stops.start();
    Await.until("waits", () -> stops.getState() == Thread.State.TIMED_WAITING);
    gate.open();
    Await.end(stops);

    assertThat(looks.calls()).containsExactly("stopped RING");
    assertThat(interrupted).as("listener, stop").containsExactly(false, true);
    assertThat(used.get(0).isDaemon()).isTrue();
  }

  @Test
  void listenersHaveTheContextClassLoaderOfTheStart() {
    Thread current = Thread.currentThread();
    ClassLoader usual = current.getContextClassLoader();
    ClassLoader application = new ClassLoader(usual) {};
    List<ClassLoader> seen = new CopyOnWriteArrayList<>();
    Reporter looked =
        reporter(
            new RecordingListener() {
              @Override
              public void onAppenderStopped(String appender) {
                seen.add(Thread.currentThread().getContextClassLoader());
              }
            });
    current.setContextClassLoader(application);
    try {
      looked.start();
    } finally {
      current.setContextClassLoader(usual);
    }
    looked.close(LONG_NS);

    assertThat(seen).containsExactly(application);
  }

  private void drop() {
    ledger.drop(DropReason.RING_FULL, Events.info("dropped"));
  }
}
