package dev.forebay.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class AgentThreadTest {

  private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
  private static final long TEN_SECONDS_NS = TimeUnit.SECONDS.toNanos(10);

  private final AtomicInteger turns = new AtomicInteger();
  private final List<Throwable> errors = new CopyOnWriteArrayList<>();
  private final List<AgentThread> started = new CopyOnWriteArrayList<>();

  @AfterEach
  void stopAll() {
    started.forEach(AgentThread::requestStop);
    started.forEach(thread -> assertThat(thread.join(TEN_SECONDS_NS)).isTrue());
  }

  @Test
  void callsStartThenWorkThenFinishThenClose() {
    List<String> calls = new CopyOnWriteArrayList<>();
    AtomicInteger finishes = new AtomicInteger();
    AgentThread thread =
        start(
            new Agent() {
              @Override
              public void onStart() {
                calls.add("start");
              }

              @Override
              public int doWork() {
                return turns.incrementAndGet();
              }

              @Override
              public boolean finish() {
                calls.add("finish");
                return finishes.incrementAndGet() == 3;
              }

              @Override
              public void onClose() {
                calls.add("close");
              }
            });
    awaitTurns(1);
    thread.requestStop();

    assertThat(thread.join(TEN_SECONDS_NS)).isTrue();
    assertThat(calls).containsExactly("start", "finish", "finish", "finish", "close");
  }

  @Test
  void anExceptionIsReportedAndTheLoopGoesOn() {
    AgentThread thread =
        start(
            () -> {
              if (turns.incrementAndGet() == 1) {
                throw new IllegalStateException("once");
              }
              return 0;
            });
    awaitTurns(1);
    thread.wake();
    awaitTurns(2);

    assertThat(errors).singleElement().isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anErrorIsReportedAndTheSameThreadGoesOn() {
    List<Thread> seen = new CopyOnWriteArrayList<>();
    AgentThread thread =
        start(
            () -> {
              seen.add(Thread.currentThread());
              if (turns.incrementAndGet() == 1) {
                throw new AssertionError("once");
              }
              return 0;
            });
    awaitTurns(1);
    Await.until("reported", () -> !errors.isEmpty());
    thread.wake();
    awaitTurns(2);

    assertThat(errors).singleElement().isInstanceOf(AssertionError.class);
    assertThat(seen.get(1)).isSameAs(seen.get(0));
  }

  /** Its work is done a moment before the thread is gone: asks at all times around that moment. */
  @Test
  void noThreadIsLeftWhenItsEndHasBeenAwaited() {
    for (int round = 0; round < 2000; round++) {
      AgentThread thread = start(() -> 0);
      Thread worker = threadOf(thread);
      thread.requestStop();
      for (int spin = 0; spin < round; spin++) {
        Thread.onSpinWait();
      }
      assertThat(thread.join(TEN_SECONDS_NS)).isTrue();
      assertThat(worker.isAlive()).as("round %s", round).isFalse();
    }
  }

  @Test
  void anErrorInTheFirstOrLastStepKeepsNoOtherFromBeingTaken() {
    AtomicInteger closes = new AtomicInteger();
    AgentThread thread =
        start(
            new Agent() {
              @Override
              public void onStart() {
                throw new AssertionError("start");
              }

              @Override
              public int doWork() {
                return turns.incrementAndGet();
              }

              @Override
              public void onClose() {
                closes.incrementAndGet();
                throw new AssertionError("close");
              }
            });
    awaitTurns(1);
    thread.requestStop();

    assertThat(thread.join(TEN_SECONDS_NS)).isTrue();
    assertThat(closes).hasValue(1);
    assertThat(errors).hasSize(2);
  }

  @Test
  void stopOfAThreadThatHasDiedFinishesTheWork() {
    AtomicBoolean closed = new AtomicBoolean();
    AgentThread thread =
        start(
            new Agent() {
              @Override
              public int doWork() {
                turns.incrementAndGet();
                throw new AssertionError("dies");
              }

              @Override
              public void onClose() {
                closed.set(true);
              }
            });
    Await.until("died", () -> !errors.isEmpty());
    thread.requestStop();

    assertThat(thread.join(TEN_SECONDS_NS)).isTrue();
    assertThat(closed).isTrue();
  }

  @Test
  void anErrorWhileFinishingDoesNotLeaveTheWorkUnfinished() {
    AtomicInteger finishes = new AtomicInteger();
    AgentThread thread =
        start(
            new Agent() {
              @Override
              public int doWork() {
                return turns.incrementAndGet();
              }

              @Override
              public boolean finish() {
                if (finishes.incrementAndGet() == 1) {
                  throw new AssertionError("once");
                }
                return true;
              }
            });
    awaitTurns(1);
    thread.requestStop();

    assertThat(thread.join(TEN_SECONDS_NS)).isTrue();
    assertThat(finishes).hasValue(2);
  }

  @Test
  void anInterruptOnlyWakesTheThread() {
    AtomicBoolean sawFlag = new AtomicBoolean();
    List<Thread> self = new CopyOnWriteArrayList<>();
    AgentThread unused =
        start(
            () -> {
              self.add(Thread.currentThread());
              sawFlag.compareAndSet(false, Thread.currentThread().isInterrupted());
              turns.incrementAndGet();
              return 0;
            });
    awaitTurns(1);
    self.get(0).interrupt();
    awaitTurns(2);

    assertThat(sawFlag).isFalse();
    assertThat(self.get(0).isAlive()).isTrue();
  }

  @Test
  void aWakeDuringTheWorkIsNotLost() {
    Gate gate = new Gate();
    AgentThread thread =
        start(
            () -> {
              if (turns.incrementAndGet() == 1) {
                gate.pass();
              }
              return 0;
            });
    gate.awaitReached();
    thread.wake();
    gate.open();

    awaitTurns(2);
  }

  @Test
  void everyWakeIsFollowedByATurnThatSeesWhatWasWrittenBefore() {
    AtomicInteger written = new AtomicInteger();
    AtomicInteger seen = new AtomicInteger();
    AgentThread thread =
        start(
            () -> {
              seen.set(written.get());
              turns.incrementAndGet();
              return 0;
            });
    for (int i = 1; i <= 5000; i++) {
      written.set(i);
      thread.wake();
      int expected = i;
      if (i % 7 == 0) {
        Await.until("turn sees " + i, () -> seen.get() >= expected);
      }
    }
    Await.until("last turn", () -> seen.get() == 5000);
    assertThat(errors).isEmpty();
  }

  @Test
  void manyWakersUnparkAParkedThreadOnce() {
    AgentThread thread = start(turns::incrementAndGet);
    awaitTurns(1);
    Thread parked = threadOf(thread);
    Await.until("parked", () -> parked.getState() == Thread.State.TIMED_WAITING);
    Gate gate = new Gate();
    List<Thread> wakers =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    new Thread(
                        () -> {
                          gate.pass();
                          thread.wakeIfParked();
                        }))
            .toList();
    wakers.forEach(Thread::start);
    gate.open();
    wakers.forEach(Await::end);
    awaitTurns(2);
    Await.until("parked again", () -> parked.getState() == Thread.State.TIMED_WAITING);

    // A late waker may meet the second park; each park is ended by one unpark at most.
    assertThat(turns.get()).isBetween(2, 9);
    int turnsBefore = turns.get();
    thread.wakeIfParked();
    thread.wakeIfParked();
    awaitTurns(turnsBefore + 1);
  }

  @Test
  void stopWhileAgentHangsIsBoundedAndFinishesLater() {
    Gate gate = new Gate();
    AgentThread thread =
        start(
            () -> {
              turns.incrementAndGet();
              gate.pass();
              return 0;
            });
    gate.awaitReached();
    thread.requestStop();

    assertThat(thread.join(TimeUnit.MILLISECONDS.toNanos(20))).isFalse();
    gate.open();
    assertThat(thread.join(TEN_SECONDS_NS)).isTrue();
  }

  @Test
  void joinByTheAgentsOwnThreadReturnsAtOnce() {
    AtomicBoolean answered = new AtomicBoolean();
    AgentThread[] self = new AgentThread[1];
    Gate gate = new Gate();
    self[0] =
        start(
            () -> {
              gate.pass();
              assertThat(self[0].join(HOUR_NS)).isFalse();
              answered.set(true);
              return 0;
            });
    gate.open();

    Await.until("answered", answered::get);
  }

  @Test
  void joinKeepsTheInterruptFlagOfItsCaller() {
    AgentThread thread = start(turns::incrementAndGet);
    awaitTurns(1);
    thread.requestStop();
    Thread.currentThread().interrupt();

    boolean finished = thread.join(TEN_SECONDS_NS);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(finished).isTrue();
  }

  @Test
  void joinBeforeStartIsFalse() {
    AgentThread thread = newThread(() -> 0, "never");
    thread.requestStop();

    assertThat(thread.join(HOUR_NS)).isFalse();
  }

  @Test
  void theThreadIsANamedDaemonAndKnowsWhetherItCarriesEvents() {
    AtomicBoolean carrier = new AtomicBoolean();
    AgentThread thread =
        start(
            () -> {
              carrier.set(AgentThread.isCurrentThreadCarrier());
              return turns.incrementAndGet();
            });
    awaitTurns(1);

    assertThat(threadOf(thread).isDaemon()).isTrue();
    assertThat(carrier).isTrue();
    assertThat(AgentThread.isCurrentThreadCarrier()).isFalse();
    assertThat(thread).hasToString(threadOf(thread).getName());
  }

  private AgentThread start(Agent agent) {
    AgentThread thread = newThread(agent, "agent-test-" + System.nanoTime());
    started.add(thread);
    thread.start();
    return thread;
  }

  /** Parks for an hour, so that nothing but a wake explains a second turn. */
  private AgentThread newThread(Agent agent, String name) {
    return new AgentThread(
        agent, (workDone, nowNs) -> HOUR_NS, name, NanoClock.SYSTEM, errors::add, false);
  }

  private void awaitTurns(int atLeast) {
    Await.until(atLeast + " turns", () -> turns.get() >= atLeast);
  }

  private static Thread threadOf(AgentThread thread) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(candidate -> candidate.getName().equals(thread.toString()))
        .findFirst()
        .orElseThrow();
  }
}
