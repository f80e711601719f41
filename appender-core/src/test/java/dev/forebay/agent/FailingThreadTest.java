package dev.forebay.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Threads in which even the report of an Error throws. */
class FailingThreadTest {

  private static final long TEN_SECONDS_NS = TimeUnit.SECONDS.toNanos(10);

  private final AtomicInteger turns = new AtomicInteger();
  private final AtomicReference<Thread> first = new AtomicReference<>();
  private final Gate fails = new Gate();

  @Test
  void aThreadThatCannotReportGoesOnToo() {
    AgentThread thread = failingOnce();
    fails.open();
    Await.until("works", () -> turns.get() >= 2);
    assertThat(first.get().isAlive()).isTrue();
    thread.requestStop();

    assertThat(thread.join(TEN_SECONDS_NS)).isTrue();
  }

  @Test
  void aStopOfOneThatCannotReportFinishesItsWork() {
    AgentThread thread = failingOnce();
    thread.requestStop();
    fails.open();

    assertThat(thread.join(TEN_SECONDS_NS)).isTrue();
  }

  /** For example a class that cannot be loaded since the application is gone. */
  @Test
  void aThreadThatNobodyWaitsForDoesNotTryToFinishForEver() {
    AtomicBoolean closed = new AtomicBoolean();
    AtomicReference<Thread> worker = new AtomicReference<>();
    AgentThread thread =
        new AgentThread(
            new Agent() {
              @Override
              public int doWork() {
                worker.set(Thread.currentThread());
                return turns.incrementAndGet();
              }

              @Override
              public boolean finish() {
                throw new NoClassDefFoundError("always");
              }

              @Override
              public void onClose() {
                closed.set(true);
              }
            },
            (workDone, nowNs) -> TEN_SECONDS_NS,
            "failing",
            NanoClock.SYSTEM,
            thrown -> {},
            false);
    thread.start();
    Await.until("works", () -> worker.get() != null);
    thread.requestStop();
    assertThat(thread.join(TimeUnit.MILLISECONDS.toNanos(20))).as("tries again").isFalse();
    Await.end(worker.get());

    assertThat(closed).isTrue();
    assertThat(thread.join(0)).isTrue();
  }

  /** One whose first turn fails once the test lets it, and whose report of that fails too. */
  private AgentThread failingOnce() {
    AgentThread thread =
        new AgentThread(
            () -> {
              if (turns.incrementAndGet() == 1) {
                first.set(Thread.currentThread());
                fails.pass();
                throw new AssertionError("dies");
              }
              return 0;
            },
            (workDone, nowNs) -> 1,
            "failing",
            NanoClock.SYSTEM,
            thrown -> {
              throw new OutOfMemoryError("simulated");
            },
            false);
    thread.start();
    fails.awaitReached();
    return thread;
  }
}
