package dev.forebay.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Threads that keep logging numbered messages while a test does something to the appender. */
final class Load implements AutoCloseable {

  /** Messages of a thread between two pauses of a millisecond. */
  private static final int PACE = 10;

  private final String name;
  private final AtomicBoolean done = new AtomicBoolean();
  private final List<AtomicLong> offered = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  private Load(String name) {
    this.name = name;
  }

  /** Two threads that log to this appender. */
  static Load on(Tiered tiered) {
    return on(tiered, "load", 2);
  }

  /** So many threads that log to this appender, as producers called name-0 and so on. */
  static Load on(Tiered tiered, String name, int threads) {
    Load load = new Load(name);
    for (int thread = 0; thread < threads; thread++) {
      String producer = load.producer(thread);
      load.start(number -> tiered.log(producer, number, 1));
    }
    return load;
  }

  private void start(LongConsumer logCall) {
    AtomicLong next = new AtomicLong();
    Thread thread =
        new Thread(
            () -> {
              while (!done.get()) {
                logCall.accept(next.getAndIncrement());
                if (next.get() % PACE == 0) {
                  Await.pass(Duration.ofMillis(1));
                }
              }
            },
            name);
    offered.add(next);
    threads.add(thread);
    thread.start();
  }

  private String producer(int thread) {
    return name + "-" + thread;
  }

  /** Waits until every thread has logged so many more messages. */
  Load awaitMore(long messages) throws Exception {
    for (AtomicLong next : offered) {
      long target = next.get() + messages;
      Await.until("load goes on", () -> next.get() >= target);
    }
    return this;
  }

  /** Ends it; messages logged in all. */
  long stop() throws InterruptedException {
    done.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    return offered.stream().mapToLong(AtomicLong::get).sum();
  }

  /** Tells the oracle what was logged. After the stop. */
  void tell(Oracle oracle) {
    for (int thread = 0; thread < offered.size(); thread++) {
      long count = offered.get(thread).get();
      oracle.producer(producer(thread), count, count);
    }
  }

  @Override
  public void close() {
    done.set(true); // after a stop; or the test fails, and nobody waits for them
  }
}
