package dev.forebay.agent;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.testkit.Threads;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Agents without a thread, and the thread that waits for them. */
@Tag("once")
class SleepersTest {

  private static final String WAITING = "forebay-idle";
  private static final long RETRY_NS = Sleepers.retryNs;

  private final TestAgent agent = TestAgent.sleeping();
  private final List<Thread> had = new CopyOnWriteArrayList<>();

  {
    agent.onTurn = () -> had.add(Thread.currentThread());
  }

  @AfterEach
  void stop() {
    Sleepers.starter = Thread::start;
    Sleepers.retryNs = RETRY_NS;
    agent.close();
    assertThat(Threads.named(WAITING)).as("the last one has ended").isEmpty();
    assertThat(agent.threads()).isEmpty();
  }

  private Thread last() {
    return had.get(had.size() - 1);
  }

  private static void exhaustThreads() {
    Sleepers.starter =
        thread -> {
          throw new OutOfMemoryError("unable to create native thread");
        };
  }

  private static Thread waiting() {
    assertThat(Threads.named(WAITING)).hasSize(1);
    return Threads.named(WAITING).get(0);
  }

  @Test
  void whoSleepsHasNoThreadAndGetsAnotherOneLikeTheFirstWhenItIsHandedWork() {
    ThreadLocal<String> left = new ThreadLocal<>();
    List<Boolean> kept = new CopyOnWriteArrayList<>();
    agent.onTurn =
        () -> {
          had.add(Thread.currentThread());
          kept.add(left.get() != null && AgentThread.isCurrentThreadAgent());
          left.set("of the encoder");
        };
    agent.onStart = () -> Thread.currentThread().setContextClassLoader(new ClassLoader() {});
    agent.start().awaitAsleep();
    Thread first = last();
    assertThat(first.isAlive()).isFalse();
    int turns = had.size();
    agent.handOver();
    agent.awaitTurns(turns + 1);
    Await.until("seen", () -> kept.size() > turns);

    Thread second = had.get(turns);
    assertThat(second).isNotSameAs(first);
    assertThat(second.getName()).isEqualTo(first.getName());
    assertThat(second.isDaemon()).isTrue();
    assertThat(second.getContextClassLoader()).isSameAs(first.getContextClassLoader());
    assertThat(kept.get(turns)).as("thread locals").isFalse();
  }

  @Test
  void theThreadThatWaitsIsADaemonThatAnInterruptLeavesAlone() {
    agent.start().awaitAsleep();
    Thread waits = waiting();
    waits.interrupt();
    agent.handOver();
    Await.until("done", () -> agent.done == 1);

    assertThat(waits.isDaemon()).isTrue();
    assertThat(waits.getContextClassLoader()).isSameAs(AgentThread.class.getClassLoader());
  }

  /** So that what it wrote is seen, and a stop that has waited for the last has waited for all. */
  @Test
  void anAgentNeverHasTwoThreads() {
    List<Thread> alive = new CopyOnWriteArrayList<>();
    agent.onTurn =
        () -> {
          had.stream()
              .filter(one -> one != Thread.currentThread() && one.isAlive())
              .forEach(alive::add);
          had.add(Thread.currentThread());
        };
    agent.start();
    for (int time = 1; time <= 300; time++) {
      int works = time;
      agent.handOver();
      Await.until("done", () -> agent.done == works);
    }
    assertThat(alive).isEmpty();
  }

  @Test
  void whoIsDueGetsUpByItself() {
    agent.sleepsNs = TimeUnit.MILLISECONDS.toNanos(20);
    agent.start().awaitTurns(5);

    assertThat(agent.errors).isEmpty();
  }

  @Test
  void whoIsDueLaterHoldsUpNobodyWhoIsDueSooner() {
    agent.start().awaitAsleep();
    TestAgent sooner = TestAgent.sleeping();
    sooner.sleepsNs = TimeUnit.MILLISECONDS.toNanos(20);
    sooner.start().awaitTurns(3);
    int turns = agent.turns.get();
    sooner.close();

    assertThat(agent.turns).hasValue(turns);
  }

  @Test
  void oneThreadWaitsForAllAndOneThatHangsHoldsUpNoOther() {
    Gate gate = new Gate();
    TestAgent hangs = TestAgent.sleeping();
    hangs.start().awaitAsleep();
    agent.start().awaitAsleep();
    assertThat(waiting().isAlive()).isTrue();
    hangs.onTurn = gate::pass;
    hangs.handOver();
    gate.awaitReached();
    agent.handOver();
    Await.until("done", () -> agent.done == 1);
    agent.awaitAsleep();
    gate.open();
    hangs.close();
  }

  /** The last look is over, and its thread is not yet replaced. */
  @Test
  void aWakeWhileAThreadHandsOverIsNotLost() {
    TestAgent other = TestAgent.sleeping();
    other.start().awaitAsleep();
    Await.until("waits", () -> waiting().getState() == Thread.State.TIMED_WAITING);
    wakeAsItHandsOver();
    other.close();
  }

  /** Such as one that was stopped between its look and its park, and parks for as long then. */
  @Test
  void aWakeWhileTheThreadThatWaitsIsLateIsNotLost() {
    TestAgent other = TestAgent.sleeping();
    other.start().awaitAsleep();
    Await.until("waits", () -> waiting().getState() == Thread.State.TIMED_WAITING);
    Sleepers.nextLookNs = NanoClock.SYSTEM.nanoTime() - 1;
    wakeAsItHandsOver();
    other.close();
  }

  private void wakeAsItHandsOver() {
    Object lock = Sleepers.class;
    synchronized (lock) {
      agent.start();
      Await.until("hands over", () -> agent.threads().get(0).getState() == Thread.State.BLOCKED);
      agent.handOver();
    }
    Await.until("done", () -> agent.done == 1);
  }

  /** As a busy flusher does to a shipper: without a request. */
  @Test
  void whoIsOnlyWokenIfItParksGetsUpToo() {
    agent.start().awaitAsleep();
    agent.work.incrementAndGet();
    agent.thread.wakeIfParked();

    Await.until("done", () -> agent.done == 1);
  }

  @Test
  void whoSleepsIsStoppedWithItsLastStepsAndNothingIsLeft() {
    AtomicInteger steps = new AtomicInteger();
    agent.onFinish = () -> steps.incrementAndGet() > 2;
    agent.onClose = steps::incrementAndGet;
    agent.start().awaitAsleep();
    agent.close();

    assertThat(steps).hasValue(4);
    assertThat(Threads.named(WAITING)).isEmpty();
  }

  /** At any moment of falling asleep. */
  @Test
  void noThreadIsLeftAfterAStop() {
    for (int round = 0; round < 500; round++) {
      TestAgent one = TestAgent.sleeping().start();
      for (int spin = 0; spin < round; spin++) {
        Thread.onSpinWait();
      }
      one.close();
      assertThat(one.threads()).as("round %s", round).isEmpty();
      assertThat(Threads.named(WAITING)).as("round %s", round).isEmpty();
    }
    agent.start();
  }

  @Test
  void whileThereIsNoThreadForThemAgentsTakeTurnsOnTheOneThatWaits() {
    AtomicInteger tries = new AtomicInteger();
    TestAgent other = TestAgent.sleeping();
    other.start().awaitAsleep();
    agent.start().awaitAsleep();
    Thread waits = waiting();
    Sleepers.starter =
        thread -> {
          tries.incrementAndGet();
          throw new OutOfMemoryError("unable to create native thread");
        };
    agent.handOver();
    Await.until("done", () -> agent.done == 1);
    other.handOver();
    Await.until("done", () -> other.done == 1);
    Await.until("tried again", () -> tries.get() >= 3);
    Await.until("on it", () -> last() == waits);
    assertThat(agent.threads()).isEmpty();
    Sleepers.starter = Thread::start;

    Await.until("has a thread", () -> last() != waits);
    other.close();
    agent.errors.addAll(other.errors);
    assertThat(agent.errors).isNotEmpty().allMatch(OutOfMemoryError.class::isInstance);
    assertThat(agent.errors.size()).as("once each").isLessThanOrEqualTo(2);
  }

  @Test
  void aTurnOnTheThreadThatWaitsIsThatOfTheAgent() {
    List<Object> carried = new CopyOnWriteArrayList<>();
    agent.onTurn =
        () -> {
          had.add(Thread.currentThread());
          carried.add(requireNonNull(AgentThread.carriedHere()));
          if (agent.done == 1) {
            throw new IllegalStateException("thrown by the work");
          }
        };
    agent.start().awaitAsleep();
    exhaustThreads();
    agent.handOver();
    Await.until("reported", () -> agent.errors.size() > 1);

    assertThat(carried).containsOnly(agent);
    assertThat(agent.errors.get(1)).hasMessage("thrown by the work");
  }

  /** As the reporter's agent, which sleeps longer, is woken by the flusher's. */
  @Test
  void whoTakesATurnOnTheThreadThatWaitsTellsThatItIsAwake() {
    AtomicInteger awake = new AtomicInteger();
    agent.thread.whenAwake(awake::incrementAndGet);
    agent.start().awaitAsleep();
    int before = awake.get();
    exhaustThreads();
    agent.handOver();
    Await.until("done", () -> agent.done == 1);

    assertThat(awake.get()).isGreaterThan(before);
    assertThat(agent.thread.sleepFlag().isUp()).isFalse();
  }

  /** A stop has no second to wait for the next turn. */
  @Test
  void aStopWithoutThreadsCausesATurnAtOnce() {
    AtomicInteger turns = new AtomicInteger();
    agent.onTurn = turns::incrementAndGet;
    agent.start().awaitAsleep();
    exhaustThreads();
    agent.handOver();
    int first = turns.get();
    Await.until("a turn", () -> turns.get() > first);
    int second = turns.get();
    Sleepers.retryNs = TimeUnit.HOURS.toNanos(1);
    Await.until("the last that comes by itself", () -> turns.get() > second);
    int third = turns.get();
    agent.thread.requestStop();
    Await.until("the stop's", () -> turns.get() > third);
  }

  @Test
  void ifNobodyCanWaitForItAnAgentSleepsOnItsOwnThread() {
    exhaustThreads();
    agent.start();
    Await.until(
        "asleep",
        () ->
            agent.thread.sleepFlag().isUp()
                && agent.threads().get(0).getState() == Thread.State.WAITING);
    agent.handOver();

    Await.until("done", () -> agent.done == 1);
    assertThat(had).containsOnly(agent.threads().get(0));
    assertThat(agent.errors).isEmpty();
  }

  /** The libraries may be those of an application server. */
  @Test
  void whileAnotherApplicationSleepsNothingIsLeftOfOneThatIsGone() throws Exception {
    WeakReference<ClassLoader> gone = liveOnce();
    assertThat(waiting().isAlive()).isTrue();

    assertThat(Await.within(Duration.ofSeconds(30), () -> isGone(gone))).isTrue();
  }

  /** Its agent is the first to sleep, and another one goes on sleeping. */
  private WeakReference<ClassLoader> liveOnce() throws Exception {
    List<Thread> application = new ArrayList<>();
    ClassLoader loader = new URLClassLoader(new URL[0]);
    TestAgent first = TestAgent.sleeping();
    application.add(new Thread(() -> first.start().awaitAsleep()));
    application.get(0).setContextClassLoader(loader);
    application.get(0).start();
    Await.end(application.get(0));
    agent.start().awaitAsleep();
    first.close();
    return new WeakReference<>(loader);
  }

  private static boolean isGone(WeakReference<ClassLoader> loader) {
    System.gc();
    return loader.get() == null;
  }
}
