package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.agent.NanoClock;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Threads that make one turn each. */
class TurnThreadsTest {

  private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

  private final TurnThreads threads = new TurnThreads("turn");
  private final List<Thread> used = new CopyOnWriteArrayList<>();

  @Test
  void eachTurnHasADaemonOfItsOwn() {
    threads.execute(() -> used.add(Thread.currentThread()));
    threads.execute(() -> used.add(Thread.currentThread()));
    Await.until("two turns", () -> used.size() == 2);

    assertThat(used).doesNotHaveDuplicates().allMatch(Thread::isDaemon);
    assertThat(used).allMatch(thread -> thread.getName().equals("turn"));
  }

  @Test
  void anInterruptReachesNoListener() {
    Gate gate = new Gate();
    List<Boolean> interrupted = new CopyOnWriteArrayList<>();
    threads.execute(
        () -> {
          used.add(Thread.currentThread());
          gate.pass();
          interrupted.add(Thread.currentThread().isInterrupted());
        });
    gate.awaitReached();
    used.get(0).interrupt();
    gate.open();
    threads.join(LONG_NS, NanoClock.SYSTEM);

    assertThat(interrupted).containsExactly(false);
  }

  @Test
  void joiningWaitsForTheEndOfTheNewest() {
    threads.join(LONG_NS, NanoClock.SYSTEM); // nothing to wait for
    Gate gate = new Gate();
    threads.execute(gate::pass);
    Thread newest = newest();
    threads.join(1, NanoClock.SYSTEM);
    assertThat(newest.isAlive()).as("no longer than it may").isTrue();
    Thread joins = new Thread(() -> threads.join(LONG_NS, NanoClock.SYSTEM));
    joins.start();
    Await.until("waits", () -> joins.getState() == Thread.State.TIMED_WAITING);
    gate.open();
    Await.end(joins);

    assertThat(newest.isAlive()).isFalse();
  }

  @Test
  void anInterruptDoesNotShortenTheWaitAndStays() {
    Gate gate = new Gate();
    threads.execute(gate::pass);
    Thread newest = newest();
    List<Boolean> left = new CopyOnWriteArrayList<>();
    Thread joins =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              threads.join(LONG_NS, NanoClock.SYSTEM);
              left.add(newest.isAlive());
              left.add(Thread.interrupted());
            });
    joins.start();
    Await.until(
        "waits, or has not",
        () -> joins.getState() == Thread.State.TIMED_WAITING || !joins.isAlive());
    gate.open();
    Await.end(joins);

    assertThat(left).as("alive, interrupted").containsExactly(false, true);
  }

  private static Thread newest() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("turn"))
        .findFirst()
        .orElseThrow();
  }
}
