package dev.forebay.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.testkit.Threads;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class AgentThreadTest {

  private final TestAgent agent = TestAgent.parking();
  private final AgentThread thread = agent.thread;

  @Test
  void callsStartThenWorkThenFinishThenClose() {
    List<String> calls = new CopyOnWriteArrayList<>();
    agent.onStart = () -> calls.add("start");
    agent.onFinish =
        () -> {
          calls.add("finish");
          return calls.size() == 4;
        };
    agent.onClose = () -> calls.add("close");
    agent.start().awaitTurns(1);
    agent.close();

    assertThat(calls).containsExactly("start", "finish", "finish", "finish", "close");
  }

  /** Also where even the report of the error throws. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anErrorIsReportedAndTheSameThreadGoesOn(boolean reportFails) {
    List<Thread> seen = new CopyOnWriteArrayList<>();
    AtomicInteger reports = new AtomicInteger();
    agent.onTurn =
        () -> {
          seen.add(Thread.currentThread());
          if (seen.size() == 1) {
            throw new AssertionError("once");
          }
        };
    agent.onError =
        thrown -> {
          assertThat(thrown).isInstanceOf(AssertionError.class).hasMessage("once");
          reports.incrementAndGet();
          if (reportFails) {
            throw new OutOfMemoryError("simulated");
          }
        };
    agent.start();
    Await.until("reported", () -> reports.get() == 1);
    thread.wake();
    agent.awaitTurns(2);

    assertThat(seen.get(1)).isSameAs(seen.get(0));
    agent.close();
    assertThat(reports).hasValue(1);
  }

  @Test
  void anErrorInAnyOtherStepKeepsNoOtherFromBeingTaken() {
    AtomicInteger finishes = new AtomicInteger();
    AtomicInteger closes = new AtomicInteger();
    agent.onStart =
        () -> {
          throw new AssertionError("start");
        };
    agent.onFinish =
        () -> {
          if (finishes.incrementAndGet() == 1) {
            throw new AssertionError("finish");
          }
          return true;
        };
    agent.onClose =
        () -> {
          closes.incrementAndGet();
          throw new AssertionError("close");
        };
    agent.start().awaitTurns(1);
    agent.close();

    assertThat(finishes).hasValue(2);
    assertThat(closes).hasValue(1);
    assertThat(agent.errors).extracting(Throwable::getMessage).contains("start", "finish", "close");
  }

  @Test
  void aStopOfAThreadThatCannotReportFinishesItsWork() {
    Gate fails = new Gate();
    agent.onTurn =
        () -> {
          fails.pass();
          throw new AssertionError("dies");
        };
    agent.onError =
        thrown -> {
          throw new OutOfMemoryError("simulated");
        };
    agent.start();
    fails.awaitReached();
    thread.requestStop();
    fails.open();

    agent.close();
  }

  /** For example a class that cannot be loaded since the application is gone. */
  @Test
  void aThreadThatNobodyWaitsForDoesNotTryToFinishForEver() {
    AtomicBoolean closed = new AtomicBoolean();
    agent.onFinish =
        () -> {
          throw new NoClassDefFoundError("always");
        };
    agent.onClose = () -> closed.set(true);
    agent.start().awaitTurns(1);
    Thread worker = Threads.named(thread.toString()).get(0);
    thread.requestStop();
    assertThat(thread.join(TimeUnit.MILLISECONDS.toNanos(20))).as("tries again").isFalse();
    Await.end(worker);

    assertThat(closed).isTrue();
    assertThat(thread.join(0)).isTrue();
  }

  /** Its work is done a moment before the thread is gone: asks at all times around that moment. */
  @Test
  void noThreadIsLeftWhenItsEndHasBeenAwaited() {
    for (int round = 0; round < 2000; round++) {
      TestAgent one = TestAgent.parking().start();
      Thread worker = Threads.named(one.thread.toString()).get(0);
      one.thread.requestStop();
      for (int spin = 0; spin < round; spin++) {
        Thread.onSpinWait();
      }
      one.close();
      assertThat(worker.isAlive()).as("round %s", round).isFalse();
    }
  }

  @Test
  void anInterruptOnlyWakesTheThread() {
    AtomicBoolean sawFlag = new AtomicBoolean();
    agent.onTurn = () -> sawFlag.compareAndSet(false, Thread.currentThread().isInterrupted());
    agent.start().awaitTurns(1);
    Thread worker = Threads.named(thread.toString()).get(0);
    worker.interrupt();
    agent.awaitTurns(2);

    assertThat(sawFlag).isFalse();
    assertThat(worker.isAlive()).isTrue();
    agent.close();
  }

  @Test
  void everyWakeIsFollowedByATurnThatSeesWhatWasWrittenBefore() {
    agent.start();
    for (int i = 1; i <= 5000; i++) {
      agent.work.set(i);
      thread.wake();
      int expected = i;
      if (i % 7 == 0) {
        Await.until("turn sees " + i, () -> agent.done >= expected);
      }
    }
    Await.until("last turn", () -> agent.done == 5000);
    agent.close();
    assertThat(agent.errors).isEmpty();
  }

  @Test
  void manyWakersUnparkAParkedThreadOnce() {
    agent.start().awaitTurns(1);
    Thread parked = Threads.named(thread.toString()).get(0);
    Await.until("parked", () -> parked.getState() == Thread.State.TIMED_WAITING);
    Threads.run(8, i -> thread.wakeIfParked());
    agent.awaitTurns(2);
    Await.until("parked again", () -> parked.getState() == Thread.State.TIMED_WAITING);

    // A late waker may meet the second park; each park is ended by one unpark at most.
    assertThat(agent.turns.get()).isBetween(2, 9);
    int turnsBefore = agent.turns.get();
    thread.wakeIfParked();
    thread.wakeIfParked();
    agent.awaitTurns(turnsBefore + 1);
    agent.close();
  }

  @Test
  void joinByTheAgentsOwnThreadReturnsAtOnce() {
    AtomicBoolean answered = new AtomicBoolean();
    agent.onTurn =
        () -> {
          assertThat(thread.join(TestAgent.HOUR_NS)).isFalse();
          assertThat(AgentThread.isCurrentThreadCarrier()).isTrue();
          answered.set(true);
        };
    agent.start();
    Await.until("answered", answered::get);
    assertThat(AgentThread.isCurrentThreadCarrier()).isFalse();
    agent.close();
  }
}
