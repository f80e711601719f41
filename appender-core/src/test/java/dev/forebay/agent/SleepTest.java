package dev.forebay.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.testkit.Threads;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads that sleep until they are woken, and those that wake them. */
@Tag("once")
class SleepTest {

  private final TestAgent sleeper = TestAgent.sleeping();
  private final SleepFlag flag = sleeper.thread.sleepFlag();

  @AfterEach
  void stop() {
    sleeper.close();
    assertThat(flag.isUp()).isFalse();
    assertThat(sleeper.errors).allMatch(AssertionError.class::isInstance);
  }

  @Test
  void anAgentWithoutDutiesSleepsUntilItIsHandedWork() {
    sleeper.start().awaitAsleep();
    sleeper.handOver();

    Await.until("done", () -> sleeper.done == 1);
    sleeper.awaitAsleep();
  }

  /** Each time the stop comes at another place of a turn. */
  @Test
  void aThreadThatIsAskedToStopAsItBeginsATurnDoesNotSleep() {
    sleeper.start();
    for (int time = 0; time < 1_000; time++) {
      TestAgent works = new TestAgent(0, true);
      AtomicBoolean idle = new AtomicBoolean();
      works.onTurn = () -> works.work.addAndGet(idle.get() ? 0 : 1);
      works.start().awaitTurns(1);
      idle.set(true);
      works.close();
    }
  }

  @Test
  void workThatComesAfterTheLastTurnIsSeenBeforeTheThreadSleepsAndItSaysThatItIsAwake() {
    AtomicInteger said = new AtomicInteger();
    sleeper.thread.whenAwake(said::incrementAndGet);
    // The flag is up: as a caller that read it before.
    sleeper.atTheLastLook(sleeper.work::incrementAndGet).start();

    Await.until("done without a wake", () -> sleeper.done == 1);
    sleeper.awaitAsleep();
    assertThat(said).as("others may have seen the flag up").hasValue(1);
  }

  @Test
  void aWakeBetweenTheLastLookAndTheParkIsNotLost() {
    Gate gate = new Gate();
    sleeper.atTheLastLook(gate::pass).start();
    gate.awaitReached();
    int turns = sleeper.turns.get();
    assertThat(flag.isUp()).isTrue();
    sleeper.thread.wakeIfAsleep();
    gate.open();
    sleeper.awaitTurns(turns + 1);
  }

  @Test
  void manyThatHandOverWorkAtOnceLoseNothing() {
    sleeper.start();
    Threads.run(
        4,
        i -> {
          for (int n = 0; n < 2000; n++) {
            sleeper.handOver();
            int all = sleeper.work.get();
            if (n % 5 == 0) {
              Await.until("done", () -> sleeper.done >= all);
            }
          }
        });
    Await.until("all done", () -> sleeper.done == 8000);
  }

  @Test
  void aThreadWhoseLastLookFailsDoesNotLookAsleep() {
    AtomicBoolean looked = new AtomicBoolean(true);
    sleeper.onError =
        thrown -> {
          looked.set(flag.isUp());
          sleeper.errors.add(thrown);
        };
    sleeper
        .atTheLastLook(
            () -> {
              throw new AssertionError("simulated");
            })
        .start();
    Await.until("reported", () -> !sleeper.errors.isEmpty());
    sleeper.awaitAsleep();

    assertThat(looked).isFalse();
    assertThat(sleeper.errors).hasSize(1);
  }

  @Test
  void whoWakesAThreadAndIsThenSuspendedDoesNotLowerTheFlagOfALaterSleep() {
    sleeper.start();
    SleepFlag other = new SleepFlag();
    other.raise();
    long first = other.number();
    other.lower();
    other.raise();
    other.lower(first);
    assertThat(other.isUp()).isTrue();
    other.lower(other.number());
    assertThat(other.isUp()).isFalse();
  }
}
