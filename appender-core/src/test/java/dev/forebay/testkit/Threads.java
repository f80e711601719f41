package dev.forebay.testkit;

import dev.forebay.host.Await;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Starts threads, and finds those that others started. */
public final class Threads {

  private Threads() {}

  /** Starts so many; each gets its number. */
  public static List<Thread> start(int count, IntConsumer work) {
    List<Thread> threads =
        IntStream.range(0, count).mapToObj(i -> new Thread(() -> work.accept(i))).toList();
    threads.forEach(Thread::start);
    return threads;
  }

  public static Thread start(Runnable work) {
    return start(1, i -> work.run()).get(0);
  }

  /** Runs so many at once, and waits for all. */
  public static void run(int count, IntConsumer work) {
    start(count, work).forEach(Await::end);
  }

  /** Runs it on another thread, and waits for that. */
  public static void run(Runnable work) {
    run(1, i -> work.run());
  }

  public static List<Thread> named(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(prefix))
        .toList();
  }
}
