package dev.forebay.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
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
    Await.until("the next turn", () -> seen.size() > 1); // a turn is counted when it begins

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
}
