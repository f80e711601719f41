package dev.forebay.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.testkit.Threads;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Does in each step what a test wants, and counts its turns. Closing it stops its thread. */
final class TestAgent implements Agent, AutoCloseable {

  static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
  static final long TEN_SECONDS_NS = TimeUnit.SECONDS.toNanos(10);

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  final AtomicInteger turns = new AtomicInteger();

  /** Work that came, and how much of it was seen by a turn. */
  final AtomicInteger work = new AtomicInteger();

  volatile int done;
  volatile long sleepsNs = UNTIL_WOKEN;
  final AtomicInteger asked = new AtomicInteger();
  final List<Throwable> errors = new CopyOnWriteArrayList<>();
  final AgentThread thread;

  volatile Runnable onStart = () -> {};
  volatile Runnable onTurn = () -> {};
  volatile BooleanSupplier onFinish = () -> true;
  volatile Runnable onClose = () -> {};
  volatile Runnable whenAsked = () -> {};
  volatile Consumer<Throwable> onError = errors::add;

  /** Parks so long, unless it may sleep. */
  TestAgent(long parkNs, boolean maySleep) {
    String name = "agent-test-" + NUMBERS.incrementAndGet() + ".";
    thread =
        new AgentThread(
            this,
            new ParkPolicy() {
              @Override
              public long parkNs(int workDone, long nowNs) {
                return parkNs;
              }

              @Override
              public boolean maySleep(long nowNs) {
                return maySleep;
              }
            },
            name,
            NanoClock.SYSTEM,
            thrown -> onError.accept(thrown),
            this);
  }

  /** Nothing but a wake explains a second turn. */
  static TestAgent parking() {
    return new TestAgent(HOUR_NS, false);
  }

  static TestAgent sleeping() {
    return new TestAgent(1, true);
  }

  TestAgent start() {
    thread.start();
    return this;
  }

  void awaitTurns(int atLeast) {
    Await.until(atLeast + " turns", () -> turns.get() >= atLeast);
  }

  /** Waits until it has neither work nor a thread. */
  void awaitAsleep() {
    Await.until("asleep", () -> thread.sleepFlag().isUp() && threads().isEmpty());
  }

  List<Thread> threads() {
    return Threads.named(thread.toString());
  }

  /** At the second question, when the flag of the sleep is up. */
  TestAgent atTheLastLook(Runnable action) {
    whenAsked =
        () -> {
          if (asked.get() == 2) {
            action.run();
          }
        };
    return this;
  }

  void handOver() {
    work.incrementAndGet();
    thread.wakeIfAsleep();
  }

  @Override
  public void onStart() {
    onStart.run();
  }

  @Override
  public int doWork() {
    int before = done;
    done = work.get();
    turns.incrementAndGet();
    onTurn.run();
    return done - before;
  }

  @Override
  public long sleepNs(long nowNs) {
    asked.incrementAndGet();
    whenAsked.run();
    return work.get() == done ? sleepsNs : 0;
  }

  @Override
  public boolean finish() {
    return onFinish.getAsBoolean();
  }

  @Override
  public void onClose() {
    onClose.run();
  }

  @Override
  public void close() {
    thread.requestStop();
    assertThat(thread.join(TEN_SECONDS_NS)).isTrue();
  }
}
