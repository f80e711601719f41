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
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The reporter, in the first half of the tests without its thread. */
class ReporterTest {

  private static final long INTERVAL_NS = 1000;
  private static final long LONG_NS = TimeUnit.MINUTES.toNanos(1);

  private final Ledger ledger = new Ledger();
  private final RecordingListener listener = new RecordingListener();
  private final AtomicLong nowNs = new AtomicLong(500);
  private final RecordingEndpoint endpoint = new RecordingEndpoint();
  private final AgentThread flusher = asleep();
  private final Reporter reporter = reporter(() -> endpoint);

  private Reporter reporter(Supplier<ControlEndpoint> shows) {
    PipelineContext context =
        new PipelineContext(Events.context("reporter"), nowNs::get, () -> 0, text -> {});
    return new Reporter(
        new FailureNotifier("RING", ledger, List.of(listener), context.voice()),
        INTERVAL_NS,
        shows,
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
        agent, new ParkEvery(1), "flusher", NanoClock.SYSTEM, thrown -> {}, null);
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
  void sleepsWhileTheFlusherSleepsAndThereIsNothingToReport() {
    assertThat(isQuiet()).as("the flusher is awake").isFalse();
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

  /** For example while the heap is full. */
  @Test
  void anEndpointThatThrowsIsTendedAgainTenSecondsLater() {
    endpoint.thrown = new OutOfMemoryError("simulated");
    nowNs.addAndGet(INTERVAL_NS);
    assertThatThrownBy(reporter::doWork).isSameAs(endpoint.thrown);
    endpoint.thrown = null;
    nowNs.addAndGet(Reporter.RETRY_NS - 1);
    reporter.doWork();
    assertThat(endpoint.tended).isOne();
    nowNs.addAndGet(1);
    reporter.doWork();

    assertThat(endpoint.tended).isEqualTo(2);
  }

  /** For example in a runtime without java.management. */
  @Test
  void anEndpointThatCannotBeLoadedIsTriedOnce() {
    Reporter bare =
        reporter(
            () -> {
              throw new NoClassDefFoundError("simulated");
            });
    nowNs.addAndGet(INTERVAL_NS);
    assertThatThrownBy(bare::doWork).isInstanceOf(NoClassDefFoundError.class);
    nowNs.addAndGet(Reporter.QUIET_LOOK_NS);

    assertThat(bare.doWork()).isZero();
    bare.leave(LONG_NS);
  }

  @Test
  void anInterruptReachesNoListenerAndShortensNoStepOfAStop() {
    Gate gate = new Gate();
    List<Boolean> interrupted = new CopyOnWriteArrayList<>();
    listener.before(
        () -> {
          gate.pass();
          interrupted.add(Thread.currentThread().isInterrupted());
        });
    reporter.start();
    gate.awaitReached();
    Thread used = listener.threads().iterator().next();
    used.interrupt();
    Thread stops =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              reporter.close(LONG_NS * 1000);
              interrupted.add(Thread.interrupted());
            });
    stops.start();
    Await.until("waits", () -> stops.getState() == Thread.State.TIMED_WAITING);
    gate.open();
    Await.end(stops);

    assertThat(listener.calls()).containsExactly("started RING", "stopped RING");
    assertThat(interrupted).as("listener twice, stop").containsExactly(false, false, true);
    assertThat(used.isDaemon()).isTrue();
  }

  private void drop() {
    ledger.drop(DropReason.RING_FULL, Events.info("dropped"));
  }
}
