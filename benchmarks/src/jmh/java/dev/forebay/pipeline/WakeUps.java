package dev.forebay.pipeline;

import dev.forebay.benchmarks.lab.child.TaskReading;
import dev.forebay.benchmarks.lab.child.TaskReading.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/**
 * {@code wake-ups [seconds]} prints how many events the flusher takes at a time, and what that
 * costs in context switches, callers' time and waits, by {@link WakeUpPolicy} and load.
 */
public final class WakeUps {

  private static final String CALLER = "wakeup-caller-";
  private static final long WARM_UP_NS = Duration.ofSeconds(1).toNanos();
  private static final int DEFAULT_SECONDS = 4;

  private static final List<WakeUpLoad> LOADS =
      List.of(
          WakeUpLoad.paced(1, 100),
          WakeUpLoad.paced(2, 10_000),
          WakeUpLoad.paced(2, 50_000),
          WakeUpLoad.bursts(2, 2_000, 200));

  static final String HEADER =
      """
      | load | wake-up | turns/s | events a turn | most turns have | flusher's switches/s \
      | callers' CPU, ns an event | mean wait | longest wait | dropped |
      |---|---|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private WakeUps() {}

  /** Measures all of them, one after the other. */
  public static void run(List<String> words)
      throws IOException, InterruptedException, ExecutionException {
    int seconds = words.isEmpty() ? DEFAULT_SECONDS : Integer.parseInt(words.get(0));
    System.out.print(HEADER);
    for (WakeUpLoad load : LOADS) {
      for (WakeUpPolicy policy : WakeUpPolicy.values()) {
        System.out.print(row(load, policy, Duration.ofSeconds(seconds).toNanos()));
      }
    }
  }

  /** One row; throws when an event is unaccounted for. */
  static String row(WakeUpLoad load, WakeUpPolicy policy, long measuredNs)
      throws IOException, InterruptedException, ExecutionException {
    try (WakeUpLine line = new WakeUpLine(policy, UnaryOperator.identity())) {
      line.start();
      long beginNs = System.nanoTime();
      AtomicBoolean isOver = new AtomicBoolean();
      List<FutureTask<Long>> callers = new ArrayList<>();
      for (int i = 0; i < load.callers(); i++) {
        FutureTask<Long> caller = new FutureTask<>(() -> load.run(beginNs, isOver, line::call));
        callers.add(caller);
        new Thread(caller, CALLER + i).start();
      }
      Moment from;
      Moment to;
      try {
        sleepUntil(beginNs + WARM_UP_NS);
        from = new Moment(line);
        sleepUntil(beginNs + WARM_UP_NS + measuredNs);
        to = new Moment(line);
      } finally {
        isOver.set(true); // not before: a thread that has ended is not read
      }
      for (FutureTask<Long> caller : callers) {
        requireCalls(caller.get());
      }
      return to.row(load, policy, from);
    }
  }

  private static void requireCalls(long calls) {
    if (calls == 0) {
      throw new IllegalStateException("a caller made no call: run void");
    }
  }

  private static void sleepUntil(long ns) throws InterruptedException {
    Thread.sleep(Math.max(0, Duration.ofNanos(ns - System.nanoTime()).toMillis()));
  }

  /** All figures at a time. */
  private static final class Moment {

    private final long atNs = System.nanoTime();
    private final TaskReading tasks = TaskReading.now();
    private final long[] turns;
    private final long delivered;
    private final long dropped;
    private final long waitedMs;
    private final long longestMs;

    Moment(WakeUpLine line) throws IOException {
      turns = line.turns();
      delivered = line.delivered();
      dropped = line.dropped();
      waitedMs = line.waitedMs();
      longestMs = line.longestWaitMs();
    }

    String row(WakeUpLoad load, WakeUpPolicy policy, Moment from) {
      double seconds = (atNs - from.atNs) / 1e9;
      double events = Math.max(1, delivered - from.delivered);
      List<Task> used = tasks.since(from.tasks);
      long switches = TaskReading.voluntary(used, task -> task.name().equals(WakeUpLine.THREAD));
      long callersNs = TaskReading.cpuNs(used, task -> task.name().startsWith(CALLER));
      long[] taken = new long[turns.length];
      int most = 0;
      for (int i = 0; i < taken.length; i++) {
        taken[i] = turns[i] - from.turns[i];
        most = taken[i] > taken[most] ? i : most;
      }
      long all = LongStream.of(taken).sum();
      return String.format(
          Locale.ROOT,
          "| %s | %s | %,.1f | %,.1f | %,d–%,d | %,.1f | %,.0f | %,.1f ms | %,d ms | %,d |%n",
          load.label(),
          policy.label(),
          all / seconds,
          events / Math.max(1, all),
          1 << most,
          (2 << most) - 1,
          switches / seconds,
          callersNs / events,
          (waitedMs - from.waitedMs) / events,
          longestMs,
          dropped - from.dropped);
    }
  }
}
