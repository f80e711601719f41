package dev.forebay.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.testkit.ParkEvery;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads that sleep until they are woken, and those that wake them. */
@Tag("once")
class SleepTest {

  private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
  private static final long TEN_SECONDS_NS = TimeUnit.SECONDS.toNanos(10);

  private final List<Throwable> errors = new CopyOnWriteArrayList<>();
  private final List<AgentThread> started = new CopyOnWriteArrayList<>();
  private final Sleeper sleeper = new Sleeper();
  private volatile Runnable reported = () -> {};

  /** Work that comes as numbers, and an answer to how long it may sleep. */
  private static final class Sleeper implements Agent {
    final AtomicInteger turns = new AtomicInteger();
    final AtomicInteger asked = new AtomicInteger();
    final AtomicInteger work = new AtomicInteger();
    volatile int done;
    volatile long sleepNs = UNTIL_WOKEN;
    volatile Runnable whenAsked = () -> {};

    @Override
    public int doWork() {
      turns.incrementAndGet();
      int before = done;
      done = work.get();
      return done - before;
    }

    @Override
    public long sleepNs(long nowNs) {
      asked.incrementAndGet();
      whenAsked.run();
      return work.get() == done ? sleepNs : 0;
    }
  }

  @AfterEach
  void stopAll() {
    started.forEach(AgentThread::requestStop);
    started.forEach(thread -> assertThat(thread.join(TEN_SECONDS_NS)).isTrue());
    assertThat(errors).allMatch(AssertionError.class::isInstance);
  }

  @Test
  void aThreadWithoutDutiesSleepsWithoutATimerUntilItIsHandedWork() {
    AgentThread thread = start(1);
    awaitAsleep(thread);
    assertThat(threadOf(thread).getState()).isEqualTo(Thread.State.WAITING);
    sleeper.work.incrementAndGet();
    thread.wakeIfAsleep();

    Await.until("done", () -> sleeper.done == 1);
    awaitAsleep(thread);
  }

  /** Each time the stop comes at another place of a turn. */
  @Test
  void aThreadThatIsAskedToStopAsItBeginsATurnDoesNotSleep() {
    for (int time = 0; time < 1_000; time++) {
      AtomicBoolean idle = new AtomicBoolean();
      AtomicInteger turns = new AtomicInteger();
      Agent works =
          new Agent() {
            @Override
            public int doWork() {
              turns.incrementAndGet();
              return idle.get() ? 0 : 1;
            }

            @Override
            public long sleepNs(long nowNs) {
              return UNTIL_WOKEN;
            }
          };
      AgentThread thread = newThread(works, 0);
      thread.start();
      Await.until("works", () -> turns.get() > 0);
      idle.set(true);
      thread.requestStop();

      assertThat(thread.join(TEN_SECONDS_NS)).as("stop %d", time).isTrue();
    }
  }

  @Test
  void aThreadWithADutySleepsUntilItIsDue() {
    sleeper.sleepNs = HOUR_NS;
    AgentThread thread = start(1);
    awaitAsleep(thread);
    assertThat(threadOf(thread).getState()).isEqualTo(Thread.State.TIMED_WAITING);
    int turns = sleeper.turns.get();
    thread.wakeIfAsleep();

    Await.until("another turn", () -> sleeper.turns.get() > turns);
  }

  @Test
  void aThreadThatMustPollNeverRaisesTheFlag() {
    sleeper.sleepNs = 1;
    AgentThread thread = start(1);
    sleeper.whenAsked = () -> assertThat(thread.sleepFlag().isUp()).isFalse();
    Await.until("polls", () -> sleeper.turns.get() > 10);
    sleeper.whenAsked = () -> {};

    assertThat(errors).isEmpty();
  }

  @Test
  void workThatComesAfterTheLastTurnIsSeenBeforeTheThreadSleeps() {
    sleeper.whenAsked =
        () -> {
          if (sleeper.asked.get() == 2) { // the flag is up: as a caller that read it before
            sleeper.work.incrementAndGet();
          }
        };
    AgentThread thread = start(1);

    Await.until("done without a wake", () -> sleeper.done == 1);
    awaitAsleep(thread);
  }

  @Test
  void aThreadSaysThatASleepIsOverOnceItsFlagIsDownAndBeforeItsNextTurn() {
    List<Integer> turnsThen = new CopyOnWriteArrayList<>();
    AgentThread thread = newThread(1);
    started.add(thread);
    thread.whenAwake(
        () -> {
          assertThat(thread.sleepFlag().isUp()).isFalse();
          turnsThen.add(sleeper.turns.get());
        });
    thread.start();
    awaitAsleep(thread);
    int turns = sleeper.turns.get();
    assertThat(turnsThen).as("not while it sleeps").isEmpty();
    thread.wakeIfAsleep();

    Await.until("said", () -> !turnsThen.isEmpty());
    assertThat(turnsThen).containsExactly(turns);
  }

  @Test
  void aThreadSaysSoAlsoIfItsLastLookFindsWork() {
    AtomicInteger said = new AtomicInteger();
    sleeper.whenAsked =
        () -> {
          if (sleeper.asked.get() == 2) {
            sleeper.work.incrementAndGet();
          }
        };
    AgentThread thread = newThread(1);
    started.add(thread);
    thread.whenAwake(said::incrementAndGet);
    thread.start();

    Await.until("done without a wake", () -> sleeper.done == 1);
    awaitAsleep(thread);
    assertThat(said).as("others may have seen the flag up").hasValue(1);
  }

  @Test
  void aWakeBetweenTheLastLookAndThePark() {
    AgentThread[] self = new AgentThread[1];
    Gate gate = new Gate();
    sleeper.whenAsked =
        () -> {
          if (sleeper.asked.get() == 2) {
            gate.pass();
          }
        };
    self[0] = start(1);
    gate.awaitReached();
    int turns = sleeper.turns.get();
    assertThat(self[0].sleepFlag().isUp()).isTrue();
    self[0].wakeIfAsleep();
    gate.open();

    Await.until("another turn", () -> sleeper.turns.get() > turns);
  }

  @Test
  void manyThatHandOverWorkAtOnceLoseNothing() throws InterruptedException {
    AgentThread thread = start(0);
    List<Thread> callers =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    new Thread(
                        () -> {
                          for (int n = 0; n < 2000; n++) {
                            sleeper.work.incrementAndGet();
                            thread.wakeIfAsleep();
                            int all = sleeper.work.get();
                            if (n % 5 == 0) {
                              Await.until("done", () -> sleeper.done >= all);
                            }
                          }
                        }))
            .toList();
    callers.forEach(Thread::start);
    for (Thread caller : callers) {
      caller.join();
    }

    Await.until("all done", () -> sleeper.done == 8000);
  }

  @Test
  void aThreadWhoseLastLookFailsDoesNotLookAsleep() {
    sleeper.whenAsked =
        () -> {
          if (sleeper.asked.get() == 2) { // the flag is up
            throw new AssertionError("simulated");
          }
        };
    reported = () -> assertThat(started.get(0).sleepFlag().isUp()).isFalse();
    AgentThread thread = start(1);
    Await.until("reported", () -> !errors.isEmpty());

    awaitAsleep(thread);
    assertThat(errors).hasSize(1);
  }

  @Test
  void aStopEndsTheSleep() {
    AgentThread thread = start(1);
    awaitAsleep(thread);
    thread.requestStop();

    assertThat(thread.join(TEN_SECONDS_NS)).isTrue();
    assertThat(thread.sleepFlag().isUp()).isFalse();
  }

  @Test
  void whoWakesAThreadAndIsThenSuspendedDoesNotLowerTheFlagOfALaterSleep() {
    SleepFlag flag = new SleepFlag();
    flag.raise();
    long first = flag.number();
    flag.lower();
    flag.raise();
    flag.lower(first);
    assertThat(flag.isUp()).isTrue();
    flag.lower(flag.number());

    assertThat(flag.isUp()).isFalse();
  }

  private AgentThread start(long parkNs) {
    AgentThread thread = newThread(parkNs);
    started.add(thread);
    thread.start();
    return thread;
  }

  private AgentThread newThread(long parkNs) {
    return newThread(sleeper, parkNs);
  }

  private AgentThread newThread(Agent agent, long parkNs) {
    return new AgentThread(
        agent,
        new ParkEvery(parkNs),
        "sleep-test-" + System.nanoTime(),
        NanoClock.SYSTEM,
        thrown -> {
          reported.run();
          errors.add(thrown);
        },
        false);
  }

  private static void awaitAsleep(AgentThread thread) {
    Await.until(
        "asleep",
        () ->
            thread.sleepFlag().isUp()
                && threadOf(thread).getState().toString().endsWith("WAITING"));
  }

  private static Thread threadOf(AgentThread thread) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(candidate -> candidate.getName().equals(thread.toString()))
        .findFirst()
        .orElseThrow();
  }
}
