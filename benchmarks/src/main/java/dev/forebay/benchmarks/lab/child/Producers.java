package dev.forebay.benchmarks.lab.child;

import dev.forebay.agent.NanoClock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The threads that log. They live until {@link #dismiss}, so that all about them can be read after
 * the last call.
 */
final class Producers {

  /** Begin of their names. */
  static final String NAME = "lab-producer";

  /** What a thread that logs does. */
  interface Work {
    /**
     * Does it.
     *
     * @param release waits until all are to go on, and gives the time when they were let
     */
    void by(Producer producer, LongSupplier release);
  }

  private final List<Producer> producers;
  private final List<Thread> threads;
  private final CountDownLatch warm;
  private final CountDownLatch released = new CountDownLatch(1);
  private volatile long releasedNs;
  private final CountDownLatch finished;
  private final CountDownLatch dismissed = new CountDownLatch(1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Makes the threads; all do the same work. */
  Producers(int number, Extent extent, Work work) {
    warm = new CountDownLatch(number);
    finished = new CountDownLatch(number);
    producers = IntStream.range(0, number).mapToObj(i -> new Producer(i, extent)).toList();
    threads =
        IntStream.range(0, number)
            .mapToObj(i -> new Thread(() -> run(producers.get(i), work), NAME + "-" + i))
            .toList();
    threads.forEach(thread -> thread.setDaemon(true));
  }

  void start() {
    threads.forEach(Thread::start);
  }

  private void run(Producer producer, Work work) {
    try {
      producer.log().enterService();
      work.by(producer, this::awaitRelease);
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    } finally {
      warm.countDown();
      finished.countDown();
    }
    awaitUninterrupted(dismissed);
  }

  /** Nobody interrupts a producer. */
  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private long awaitRelease() {
    warm.countDown();
    awaitUninterrupted(released);
    return releasedNs;
  }

  /** Waits until all producers wait for their release, or have finished. */
  void awaitWarm() throws InterruptedException {
    warm.await();
    throwFailure();
  }

  /**
   * Lets all producers go on.
   *
   * @return when
   */
  long release() {
    releasedNs = NanoClock.SYSTEM.nanoTime();
    released.countDown();
    return releasedNs;
  }

  /** Waits until all have made their calls. */
  void awaitLastCall() throws InterruptedException {
    finished.await();
    throwFailure();
  }

  private void throwFailure() {
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("A log call threw " + thrown, thrown);
    }
  }

  /** Lets the threads end. */
  void dismiss() {
    dismissed.countDown();
  }

  long[] threadIds() {
    return threads.stream().mapToLong(Producers::idOf).toArray();
  }

  @SuppressWarnings("deprecation") // Its successor came after JDK 17.
  private static long idOf(Thread thread) {
    return thread.getId();
  }

  /** Log calls of all, when they have made their last. */
  long calls() {
    return producers.stream().mapToLong(producer -> producer.log().calls()).sum();
  }

  /** Times of all, when they have made their last call. */
  CallTimes times(Extent extent) {
    return all(extent, Producer::times);
  }

  /** The same of the calls at TRACE, where these are told apart. */
  CallTimes traceTimes(Extent extent) {
    return all(extent, Producer::traceTimes);
  }

  private CallTimes all(Extent extent, Function<Producer, CallTimes> times) {
    CallTimes all = new CallTimes(extent.measuredNs());
    producers.forEach(producer -> all.addAll(times.apply(producer)));
    return all;
  }
}
