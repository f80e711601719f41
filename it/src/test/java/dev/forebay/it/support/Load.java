package dev.forebay.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.event.Level;

/** Threads that keep logging numbered messages while something happens to the disk. */
public final class Load implements AutoCloseable {

  private static final int BETWEEN_PAUSES = 3;
  private static final Duration PAUSE = Duration.ofMillis(1);

  /** Calls of each thread that prove that it does not wait. */
  private static final int GOING_ON = 150;

  private record Producer(String name, Level level, AtomicLong offered, Thread thread) {}

  private final Tiered tiered;
  private final List<Producer> producers = new ArrayList<>();
  private volatile boolean stopped;

  private Load(Tiered tiered) {
    this.tiered = tiered;
  }

  /** Two threads that log at level INFO. */
  public static Load on(Tiered tiered) {
    return on(tiered, Level.INFO, Level.INFO);
  }

  /** A thread for each level. Producers are called "load-0" and so on. */
  public static Load on(Tiered tiered, Level... levels) {
    Load load = new Load(tiered);
    for (int i = 0; i < levels.length; i++) {
      String name = name(i);
      Level level = levels[i];
      AtomicLong offered = new AtomicLong();
      Thread thread = new Thread(() -> load.run(name, level, offered), name);
      load.producers.add(new Producer(name, level, offered, thread));
    }
    load.producers.forEach(producer -> producer.thread().start());
    return load;
  }

  private static String name(int producer) {
    return "load-" + producer;
  }

  private void run(String name, Level level, AtomicLong offered) {
    while (!stopped) {
      long number = offered.getAndIncrement();
      String text = new Numbered(name, number).text();
      tiered.calls().measure(() -> tiered.logger().atLevel(level).log(text));
      if (number % BETWEEN_PAUSES == 0) {
        Await.pass(PAUSE);
      }
    }
  }

  /** As {@link #requireGoingOn()}, with so many calls of each thread. */
  public Load awaitMore(int calls) {
    return requireGoingOn(Duration.ZERO, calls);
  }

  /**
   * Fails unless every thread keeps coming back from its calls: under a fault that lasts until
   * after this, none of them waits for its end.
   */
  public Load requireGoingOn() {
    return requireGoingOn(Duration.ZERO);
  }

  /** As the other, over so much time. */
  public Load requireGoingOn(Duration time) {
    return requireGoingOn(time, GOING_ON);
  }

  /** As the other, with so many calls of each thread. */
  public Load requireGoingOn(Duration time, int calls) {
    long startNs = System.nanoTime();
    List<Long> targets = producers.stream().map(p -> p.offered().get() + calls).toList();
    Await.until(
        "callers go on",
        () -> {
          boolean all = System.nanoTime() - startNs >= time.toNanos();
          for (int i = 0; i < producers.size(); i++) {
            all &= producers.get(i).offered().get() >= targets.get(i);
          }
          return all;
        });
    return this;
  }

  /** Ends the threads. */
  public Load stop() throws InterruptedException {
    stopped = true;
    for (Producer producer : producers) {
      producer.thread().join();
    }
    return this;
  }

  /**
   * Ends the threads when the fault is over: fresh events get through, and nothing was dropped.
   *
   * @return an oracle that requires all of it in the log
   */
  public Oracle endWithoutLoss() throws InterruptedException {
    stop();
    tiered.log("fresh", 0, 10).flush();
    assertThat(tiered.snapshot().dropped()).isZero();
    assertThat(tiered.errors()).allMatch(text -> text.contains("cannot write "));
    return oracle().producer("fresh", 10, 10).complete(0);
  }

  /** Messages one of them logged. */
  public long offered(int producer) {
    return producers.get(producer).offered().get();
  }

  /** Messages all of them logged. */
  public long offered() {
    return producers.stream().mapToLong(producer -> producer.offered().get()).sum();
  }

  /** An oracle that knows what was logged. All of it must be in the log unless it was dropped. */
  public Oracle oracle() {
    Oracle oracle = new Oracle();
    tell(oracle);
    return oracle;
  }

  /** Tells an oracle what was logged. After the stop. */
  public void tell(Oracle oracle) {
    for (Producer producer : producers) {
      long offered = producer.offered().get();
      oracle.producer(producer.name(), offered, offered);
    }
  }

  /** How many of a thread's messages are missing in the log that was judged. */
  public long missing(int producer, Oracle.Verdict verdict) {
    return offered(producer) - verdict.lines().getOrDefault(name(producer), 0L);
  }

  @Override
  public void close() {
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
