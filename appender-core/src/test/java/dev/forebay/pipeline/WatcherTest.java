package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.FailureNotifier;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingListener;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One thread for the reports of all appenders. */
class WatcherTest {

  private static final long INTERVAL_NS = 1;
  private static final long LONG_NS = TimeUnit.SECONDS.toNanos(10);

  private final Set<Thread> before = watcherThreads();

  /** What a watcher does at each look at the clock. */
  private volatile Runnable onLook = () -> {};

  private final AtomicBoolean broken = new AtomicBoolean();
  private final Watchers watchers = new Watchers(() -> new Watcher(this::now).start());
  private final List<Reporter> started = new ArrayList<>();
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Ledger ledger = new Ledger();
  private final RecordingListener listener = new RecordingListener();

  @AfterEach
  void stopAll() {
    started.forEach(reporter -> reporter.close(LONG_NS));
    assertThat(ownThreads()).as("after the last stop").isEmpty();
  }

  @Test
  void oneThreadWatchesOverAllFromTheFirstStartToTheLastStop() {
    assertThat(ownThreads()).as("before the first start").isEmpty();
    Reporter first = started("FIRST", new Ledger(), new RecordingListener());
    Thread watcher = onlyThread();
    Reporter second = started("SECOND", new Ledger(), new RecordingListener());
    assertThat(ownThreads()).containsExactly(watcher);
    first.close(LONG_NS);
    assertThat(ownThreads()).containsExactly(watcher);
    second.close(LONG_NS);
    assertThat(ownThreads()).isEmpty();
    started("THIRD", ledger, listener);

    assertThat(onlyThread()).isNotSameAs(watcher).matches(Thread::isDaemon);
    drop();
    started.get(2).wakeIfAsleep();
    Await.until("told", () -> listener.calls().contains("dropped 1"));
  }

  @Test
  void aListenerThatBlocksHoldsUpNeitherOthersNorTheirStop() {
    Gate gate = new Gate();
    Ledger ledgerOfBlocked = new Ledger();
    RecordingListener blocks =
        new RecordingListener() {
          @Override
          public void onAppenderStarted(String appender) {
            gate.pass();
            super.onAppenderStarted(appender);
          }
        };
    Reporter blocked = started("BLOCKED", ledgerOfBlocked, blocks);
    gate.awaitReached();
    Thread watcher = onlyThread();
    Reporter other = started("OTHER", ledger, listener);
    drop();
    other.wakeIfAsleep();
    Await.until("told", () -> listener.calls().contains("ended"));
    other.close(LONG_NS);
    assertThat(listener.calls()).last().isEqualTo("stopped OTHER");
    blocked.close(0);
    assertThat(blocks.calls()).isEmpty();
    gate.open();

    Await.until("told of the stop too", () -> blocks.calls().contains("stopped BLOCKED"));
    Await.end(watcher);
  }

  @Test
  void sleepsUntilThereAreNews() {
    Watcher watcher = new Watcher(NanoClock.SYSTEM);
    Reporter quiet = reporter("QUIET", new Ledger(), new RecordingListener(), Runnable::run);
    Reporter reporter = reporter("NEWS", ledger, listener, Runnable::run);
    watcher.add(quiet);
    watcher.add(reporter);
    watcher.doWork();
    assertThat(watcher.sleepNs(0)).isEqualTo(Watcher.QUIET_WATCH_NS);
    drop();
    assertThat(watcher.sleepNs(0)).isZero();
    for (int look = 1; look <= 3; look++) { // sees the drop, reports it, reports its end
      watcher.doWork();
    }
    assertThat(listener.calls()).containsExactly("started NEWS", "dropped 1", "ended");

    assertThat(watcher.sleepNs(0)).isEqualTo(Watcher.QUIET_WATCH_NS);
    quiet.close(0);
    reporter.close(0);
  }

  @Test
  void anErrorIsReportedAndTheThreadGoesOn() {
    Reporter reporter = started("BROKEN", ledger, listener);
    Thread watcher = onlyThread();
    broken.set(true);
    reporter.wake();
    Await.until("told", () -> warnings.contains("The reporter failed"));
    drop();
    reporter.wakeIfAsleep();

    Await.until("told of drops", () -> listener.calls().contains("dropped 1"));
    assertThat(onlyThread()).isSameAs(watcher);
  }

  @Test
  void aWatcherThatDoesNotEndHoldsUpItsStopButNoStart() {
    Reporter first = started("FIRST", new Ledger(), new RecordingListener());
    Gate gate = new Gate();
    onLook = gate::pass;
    first.wake();
    gate.awaitReached();
    Thread closes = new Thread(() -> first.close(LONG_NS));
    closes.start();
    Await.until("waits for it", () -> closes.getState() == Thread.State.TIMED_WAITING);
    onLook = () -> {};
    started("SECOND", ledger, listener);
    drop();
    started.get(1).wakeIfAsleep();
    Await.until("told", () -> listener.calls().contains("dropped 1"));
    assertThat(closes.isAlive()).isTrue();
    gate.open();

    Await.end(closes);
  }

  @Test
  void looksAsOftenAsTheShortestIntervalAsks() {
    Watcher watcher = new Watcher(NanoClock.SYSTEM);
    assertThat(watcher.parkNs(0, 0)).as("with nobody").isEqualTo(Watcher.WATCH_NS);
    watcher.add(reporter("HOURLY", new Ledger(), TimeUnit.HOURS.toNanos(1)));
    assertThat(watcher.parkNs(0, 0)).as("dead threads").isEqualTo(Watcher.WATCH_NS);
    watcher.add(reporter("OFTEN", new Ledger(), 7));

    assertThat(watcher.parkNs(0, 0)).isEqualTo(7);
  }

  @Test
  void keepsNoContextClassLoaderButReportsHaveThatOfTheStart() {
    Thread current = Thread.currentThread();
    ClassLoader usual = current.getContextClassLoader();
    ClassLoader application = new ClassLoader(usual) {};
    List<ClassLoader> seen = new CopyOnWriteArrayList<>();
    RecordingListener looks =
        new RecordingListener() {
          @Override
          public void onAppenderStarted(String appender) {
            seen.add(Thread.currentThread().getContextClassLoader());
          }

          @Override
          public void onAppenderStopped(String appender) {
            seen.add(Thread.currentThread().getContextClassLoader());
          }
        };
    current.setContextClassLoader(application);
    try {
      started("LOADER", new Ledger(), looks);
    } finally {
      current.setContextClassLoader(usual);
    }
    Await.until("started", () -> seen.size() == 1);
    Thread watcher = onlyThread();
    Await.until(
        "the watcher's is ours",
        () -> watcher.getContextClassLoader() == Watcher.class.getClassLoader());
    started.get(0).close(LONG_NS);

    assertThat(seen).containsExactly(application, application);
  }

  @Test
  void replacesAThreadThatHasDiedAndSaysSo() throws Exception {
    AtomicInteger turns = new AtomicInteger();
    AtomicReference<ClassLoader> loader = new AtomicReference<>();
    AtomicReference<Thread> seen = new AtomicReference<>();
    Reporter reporter = reporter("WATCHES", ledger, listener, Runnable::run);
    AgentThread watched = dyingOnce(turns, loader, seen);
    reporter.watch(watched);
    reporter.look();
    assertThat(warnings).as("not started yet").isEmpty();
    Thread starter = new Thread(watched::start);
    ClassLoader ofStarter = new ClassLoader(getClass().getClassLoader()) {};
    starter.setContextClassLoader(ofStarter);
    starter.start();
    starter.join();
    Await.until("dead", () -> turns.get() == 1 && !seen.get().isAlive());
    ClassLoader ofFirst = loader.get();
    Await.until(
        "replaced",
        () -> {
          reporter.look();
          return !warnings.isEmpty();
        });
    Await.until("works", () -> turns.get() == 2);

    assertThat(warnings).containsExactly("Replaced a thread that had died: watched");
    assertThat(loader.get()).as("not that of the thread that replaces it").isSameAs(ofFirst);
    watched.requestStop();
    assertThat(watched.join(LONG_NS)).isTrue();
    reporter.close(0);
  }

  private static AgentThread dyingOnce(
      AtomicInteger turns,
      AtomicReference<ClassLoader> contextLoader,
      AtomicReference<Thread> seen) {
    return new AgentThread(
        new Agent() {
          @Override
          public int doWork() {
            seen.set(Thread.currentThread());
            contextLoader.set(Thread.currentThread().getContextClassLoader());
            if (turns.incrementAndGet() == 1) {
              throw new AssertionError("dies");
            }
            return 0;
          }
        },
        (workDone, now) -> TimeUnit.HOURS.toNanos(1),
        "watched",
        NanoClock.SYSTEM,
        thrown -> {
          throw new OutOfMemoryError("simulated");
        },
        false);
  }

  @Test
  void aThreadIsReplacedAlthoughATurnHangs() {
    AtomicInteger turns = new AtomicInteger();
    AtomicBoolean hangs = new AtomicBoolean(true);
    List<Runnable> hanging = new CopyOnWriteArrayList<>();
    Executor executor =
        turn -> {
          if (hangs.get()) {
            hanging.add(turn);
          } else {
            turn.run();
          }
        };
    Reporter reporter = reporter("HANGS", ledger, listener, executor);
    started.add(reporter);
    AgentThread watched = dyingOnce(turns, new AtomicReference<>(), new AtomicReference<>());
    reporter.watch(watched);
    reporter.start();
    watched.start();

    Await.until(
        "works",
        () -> {
          reporter.wake(); // while all is quiet, it looks once a minute
          return turns.get() == 2;
        });
    watched.requestStop();
    assertThat(watched.join(LONG_NS)).isTrue();
    assertThat(hanging).hasSize(1);
    hangs.set(false);
    hanging.get(0).run();
  }

  private long now() {
    if (Thread.currentThread().getName().equals(Watcher.NAME)) {
      onLook.run();
      if (broken.getAndSet(false)) {
        throw new AssertionError("simulated");
      }
    }
    return System.nanoTime();
  }

  private Reporter started(String name, Ledger account, RecordingListener told) {
    Reporter reporter = reporter(name, account, told, new TurnThreads("reporter-" + name));
    started.add(reporter);
    reporter.start();
    return reporter;
  }

  private Reporter reporter(String name, Ledger account, long intervalNs) {
    return reporter(name, account, new RecordingListener(), Runnable::run, intervalNs);
  }

  private Reporter reporter(String name, Ledger account, RecordingListener told, Executor turns) {
    return reporter(name, account, told, turns, INTERVAL_NS);
  }

  private Reporter reporter(
      String name, Ledger account, RecordingListener told, Executor turns, long intervalNs) {
    PipelineContext context =
        new PipelineContext(
            Events.context("watcher"),
            NanoClock.SYSTEM,
            () -> 0,
            (text, cause) -> warnings.add(text));
    return new Reporter(
        new FailureNotifier(name, account, List.of(told), context.warnings()),
        intervalNs,
        RecordingOutpost::new,
        context,
        turns,
        watchers);
  }

  private void drop() {
    ledger.drop(DropReason.RING_FULL, Events.info("dropped"));
  }

  private Thread onlyThread() {
    Set<Thread> own = ownThreads();
    assertThat(own).hasSize(1);
    return own.iterator().next();
  }

  /** Those of this test: others of this JVM may run too. */
  private Set<Thread> ownThreads() {
    Set<Thread> own = watcherThreads();
    own.removeAll(before);
    return own;
  }

  private static Set<Thread> watcherThreads() {
    Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    threads.removeIf(thread -> !thread.getName().equals(Watcher.NAME));
    return threads;
  }
}
