package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.agent.NanoClock;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.FailureListener;
import dev.forebay.observe.FailureNotifier;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The reporter without threads. */
class ReporterTest {

  private static final long INTERVAL_NS = 1000;

  private final Ledger ledger = new Ledger();
  private final RecordingListener listener = new RecordingListener();
  private final List<String> warnings = new ArrayList<>();
  private final AtomicLong nowNs = new AtomicLong(500);
  private boolean broken;
  private final PipelineContext context =
      new PipelineContext(
          Events.context("reporter"), this::now, () -> 0, (text, cause) -> warnings.add(text));

  private final RecordingOutpost outpost = new RecordingOutpost();

  /** Its thread is not started: only the test looks. */
  private final Watchers watchers = new Watchers(() -> new Watcher(NanoClock.SYSTEM));

  /** Turns that have begun but not made progress, as if in foreign code, while {@link #hangs}. */
  private final Queue<Runnable> hanging = new ArrayDeque<>();

  private volatile boolean hangs; // read by a live watcher in one test, as the next
  private volatile boolean withoutThreads;
  private final Reporter reporter = reporter(watchers);

  private Reporter reporter(Watchers by) {
    return new Reporter(
        new FailureNotifier("RING", ledger, List.of(listener), context.warnings()),
        INTERVAL_NS,
        () -> outpost,
        context,
        this::execute,
        by);
  }

  private void execute(Runnable turn) {
    if (withoutThreads) {
      throw new OutOfMemoryError("simulated: unable to create a thread");
    }
    if (hangs) {
      hanging.add(turn);
    } else {
      turn.run();
    }
  }

  @AfterEach
  void close() {
    reporter.close(0);
  }

  @Test
  void tellsListenersAtMostOnceAnInterval() {
    drop();
    reporter.look();
    assertThat(listener.calls()).isEmpty();
    nowNs.addAndGet(INTERVAL_NS);
    reporter.look();
    drop();
    reporter.look();
    nowNs.addAndGet(INTERVAL_NS - 1);
    reporter.look();
    assertThat(listener.calls("dropped")).containsExactly("dropped 1");
    nowNs.addAndGet(1);
    reporter.look();

    assertThat(listener.calls("dropped")).containsExactly("dropped 1", "dropped 1");
  }

  @Test
  void aReportThatIsAskedForIsMadeWhateverTheIntervalSays() {
    drop();
    reporter.look();
    assertThat(listener.calls()).isEmpty();
    reporter.requestReport();
    assertThat(reporter.hasMadeReports()).isFalse();
    reporter.look();

    assertThat(reporter.hasMadeReports()).isTrue();
    assertThat(listener.calls("dropped")).containsExactly("dropped 1");
    drop();
    reporter.look();
    assertThat(listener.calls("dropped")).as("asked for once").hasSize(1);
  }

  @Test
  void opensTheOutpostSomeTimeAfterTheStart() {
    outpost.isDue = true;
    reporter.start();
    nowNs.addAndGet(INTERVAL_NS - 1);
    reporter.look();
    assertThat(outpost.calls).isEmpty();
    assertThat(reporter.isQuiet()).isTrue();
    nowNs.incrementAndGet();
    assertThat(reporter.isQuiet()).isFalse();
    reporter.look();
    assertThat(outpost.calls).containsExactly("tended");
    assertThat(reporter.isQuiet()).isTrue();
    outpost.isDue = true;
    reporter.look();
    assertThat(outpost.calls).as("looked at again").containsExactly("tended", "tended");
    reporter.close(0);

    assertThat(outpost.calls).containsExactly("tended", "tended", "closed");
  }

  @Test
  void aStopBeforeThatOpensNothing() {
    outpost.isDue = true;
    reporter.start();
    reporter.leave(TimeUnit.HOURS.toNanos(1));
    nowNs.addAndGet(INTERVAL_NS);
    reporter.look();
    reporter.close(0);

    assertThat(outpost.calls).isEmpty();
    assertThat(listener.calls()).containsExactly("started RING", "stopped RING");
  }

  @Test
  void leavingNeedsNoThread() {
    shown();
    withoutThreads = true;
    reporter.leave(0);
    reporter.close(0);

    assertThat(outpost.calls).containsExactly("tended", "closed");
  }

  @Test
  void anErrorOfTheOutpostEndsNeitherATurnNorTheStop() {
    outpost.thrown = new AssertionError("foreign code");
    shown();
    drop();
    reporter.close(0);

    assertThat(outpost.calls).containsExactly("tended", "closed");
    assertThat(listener.calls()).containsExactly("started RING", "dropped 1", "stopped RING");
    assertThat(warnings).hasSize(2);
  }

  @Test
  void theEndOfTheJvmIsPassedOn() {
    reporter.endWithJvm();
    assertThat(outpost.calls).isEmpty();
    shown();
    reporter.endWithJvm();

    assertThat(outpost.calls).containsExactly("tended", "ended");
  }

  private void shown() {
    outpost.isDue = true;
    reporter.start();
    nowNs.addAndGet(INTERVAL_NS);
    reporter.look();
  }

  @Test
  void withoutListenersOnlyNewsNeedAThread() {
    hangs = true;
    List<FailureListener> nobody = List.of();
    Reporter quiet =
        new Reporter(
            new FailureNotifier("RING", ledger, nobody, context.warnings()),
            INTERVAL_NS,
            () -> outpost,
            context,
            this::execute,
            watchers);
    quiet.start();
    quiet.requestReport();
    assertThat(quiet.hasMadeReports()).isTrue();
    quiet.look();
    quiet.close(0);

    assertThat(hanging).isEmpty();
  }

  @Test
  void closingTellsWhatIsLeft() {
    reporter.start();
    drop();
    reporter.close(0);

    assertThat(listener.calls()).containsExactly("started RING", "dropped 1", "stopped RING");
  }

  @Test
  void isQuietWhileThereIsNothingToReport() {
    assertThat(reporter.isQuiet()).isTrue();
    drop();
    assertThat(reporter.isQuiet()).as("a drop is to be reported").isFalse();
    nowNs.addAndGet(INTERVAL_NS);
    reporter.look();
    assertThat(reporter.isQuiet()).as("the end of the drops is to be reported").isFalse();
    nowNs.addAndGet(INTERVAL_NS);
    reporter.look();
    assertThat(listener.calls()).containsExactly("started RING", "dropped 1", "ended");
    assertThat(reporter.isQuiet()).isTrue();
  }

  @Test
  void theFirstDropsAfterASleepAreReportedTogether() {
    reporter.look();
    assertThat(reporter.isQuiet()).isTrue();
    nowNs.addAndGet(10 * INTERVAL_NS + 1);
    drop();
    reporter.look();
    drop();
    nowNs.addAndGet(INTERVAL_NS - 2);
    reporter.look();
    assertThat(listener.calls()).as("the interval would not have ended yet").isEmpty();
    nowNs.incrementAndGet();
    reporter.look();

    assertThat(listener.calls("dropped")).containsExactly("dropped 2");
  }

  @Test
  void anErrorDoesNotEndTheWatchersThread() {
    drop();
    nowNs.addAndGet(INTERVAL_NS);
    broken = true;
    reporter.look();
    broken = false;
    assertThat(reporter.isQuiet()).as("looks again").isFalse();
    reporter.look();

    assertThat(warnings).containsExactly("The reporter failed");
    assertThat(listener.calls("dropped")).containsExactly("dropped 1");
  }

  @Test
  void aTurnThatFindsNoThreadIsMadeLater() {
    drop();
    nowNs.addAndGet(INTERVAL_NS);
    withoutThreads = true;
    reporter.look();
    assertThat(listener.calls()).isEmpty();
    assertThat(reporter.isQuiet()).isFalse();
    withoutThreads = false;
    reporter.look();

    assertThat(listener.calls("dropped")).containsExactly("dropped 1");
  }

  @Test
  void aStopThatFindsNoThreadUsesItsOwn() {
    reporter.start();
    drop();
    withoutThreads = true;
    reporter.close(0);

    assertThat(listener.calls()).containsExactly("started RING", "dropped 1", "stopped RING");
  }

  @Test
  void aLookAfterTheStopBeginsNoTurn() {
    reporter.start();
    reporter.close(0);
    drop();
    reporter.requestReport();
    nowNs.addAndGet(2 * INTERVAL_NS);
    reporter.look();

    assertThat(listener.calls()).containsExactly("started RING", "stopped RING");
    assertThat(reporter.isQuiet()).isTrue();
  }

  @Test
  void anInterruptShortensNoStepOfAStop() {
    hangs = true;
    reporter.start();
    List<Boolean> interrupted = new CopyOnWriteArrayList<>();
    Thread stops =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              reporter.leave(TimeUnit.HOURS.toNanos(1));
              reporter.close(TimeUnit.HOURS.toNanos(1));
              interrupted.add(Thread.interrupted());
            });
    stops.start();
    Await.until("waits", () -> stops.getState() == Thread.State.TIMED_WAITING);
    assertThat(listener.calls()).isEmpty();
    hangs = false;
    hanging.remove().run();
    Await.end(stops);

    assertThat(listener.calls()).containsExactly("started RING", "stopped RING");
    assertThat(interrupted).as("the flag stays").containsExactly(true);
  }

  @Test
  void aStartThatFindsNoThreadLeavesNothingToStop() {
    withoutThreads = true;
    assertThatThrownBy(reporter::start).isInstanceOf(OutOfMemoryError.class);
    reporter.leave(TimeUnit.HOURS.toNanos(1));
    reporter.close(TimeUnit.HOURS.toNanos(1));

    assertThat(listener.calls()).isEmpty();
  }

  @Test
  void oneTurnAtATimeAndTheRunningOneTakesTheStopAlong() {
    reporter.start();
    hangs = true;
    drop();
    nowNs.addAndGet(INTERVAL_NS);
    reporter.look();
    drop();
    nowNs.addAndGet(INTERVAL_NS);
    reporter.requestReport();
    reporter.look();
    assertThat(reporter.isQuiet()).as("a hanging turn keeps no one awake").isTrue();
    reporter.leave(0);
    reporter.close(0);
    assertThat(hanging).hasSize(1);
    assertThat(listener.calls()).containsExactly("started RING");
    hanging.remove().run();

    assertThat(listener.calls()).containsExactly("started RING", "dropped 2", "stopped RING");
  }

  @Test
  void newsDuringATurnAreReportedAfterIt() {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    Reporter watched = reporter(new Watchers(() -> new Watcher(NanoClock.SYSTEM).start()));
    hangs = true;
    watched.start();
    Await.until("asleep, since a turn runs", () -> watcherSleeps(before));
    drop();
    hangs = false;
    hanging.remove().run();
    nowNs.addAndGet(INTERVAL_NS);

    Await.until("told by another turn", () -> listener.calls().contains("dropped 1"));
    watched.close(TimeUnit.HOURS.toNanos(1));
  }

  private static boolean watcherSleeps(Set<Thread> before) {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(entry -> !before.contains(entry.getKey()))
        .filter(entry -> entry.getKey().getName().equals(Watcher.NAME))
        .anyMatch(entry -> List.of(entry.getValue()).toString().contains("AgentThread.sleep"));
  }

  private long now() {
    if (broken) {
      throw new InternalError("simulated");
    }
    return nowNs.get();
  }

  private void drop() {
    ledger.drop(DropReason.RING_FULL, Events.info("dropped"));
  }
}
