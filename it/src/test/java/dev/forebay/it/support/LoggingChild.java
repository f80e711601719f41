package dev.forebay.it.support;

import ch.qos.logback.classic.Logger;
import dev.forebay.host.Await;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A child process that logs numbered messages from some threads until it has done its work or is
 * killed. Reports through {@link Progress}; its last words are in the files beside that: "account"
 * and "status".
 */
public final class LoggingChild {

  /** What the shutdown hook logs. */
  public static final int HOOK_MESSAGES = 100;

  /** Longer, in a process of a fleet: it should cost the machine little. */
  private static final int PAUSE_MS = Integer.getInteger("forebay.it.pause.ms", 1);

  private static final Duration WATCH_EVERY = Duration.ofMillis(2L * PAUSE_MS);
  private static final Duration FLUSH = Duration.ofSeconds(60);
  private static final Duration HOOK_WORKS = Duration.ofMillis(200);
  private static final int LEAK_BYTES = 1 << 20;

  private final Tiered tiered;
  private final Progress progress;
  private final Path reports;
  private final Path held;
  private final String name;
  private final long count;
  private final int flushEvery;
  private final int paceEvery;
  private final CallTimes calls = new CallTimes();

  private final AtomicInteger loggingThreads = new AtomicInteger();

  /** Raised when the parent, or the end of the JVM, wants no more messages. */
  private volatile boolean released;

  private LoggingChild(Tiered tiered, Progress progress, String[] args) {
    this.tiered = tiered;
    this.progress = progress;
    this.reports = Path.of(args[1]);
    this.held = reports.resolve(ChildReports.HELD);
    this.name = args[2];
    this.count = Long.parseLong(args[4]);
    this.flushEvery = Integer.parseInt(args[5]);
    this.paceEvery = Integer.parseInt(args[6]);
  }

  /**
   * Logs as told and leaves.
   *
   * @param args configuration file, directory for the reports, name, number of threads, messages of
   *     a thread, messages between two flushes (0 for none), messages between two pauses (0 for
   *     none), and how to end: stop, exit or wait when all is logged; or else, while the threads
   *     log, "released" when the parent lets go ({@link ChildReports#release} or the closed pipe),
   *     "interrupted" the same while the application interrupts threads, those that log and ours,
   *     "exiting" by an exit then, after which they log on for a while and a shutdown hook logs
   *     too, "leaking" by filling the memory
   */
  public static void main(String[] args) throws Exception {
    Path reports = Path.of(args[1]);
    Progress progress = Progress.at(reports.resolve("progress"));
    progress.up(ProcessHandle.current().pid());
    KillPoint.asTold();
    Tiered tiered = Tiered.configured(Files.readString(Path.of(args[0])));
    LoggingChild child = new LoggingChild(tiered, progress, args);
    startDaemon(child::watchWatermark);
    child.prepareEnd(args[7]);
    int threads = Integer.parseInt(args[3]);
    if (threads == 1) {
      child.logAll(0);
    } else {
      child.logFrom(threads);
    }
    if (args[7].equals("wait")) {
      child.waitForParent();
    }
    if (!args[7].startsWith("exit")) {
      var appender = tiered.appender();
      tiered.close();
      Files.writeString(reports.resolve("account"), appender.snapshot().toString());
      Files.writeString(reports.resolve("status"), String.join("\n", tiered.problems()));
    }
  }

  private void watchWatermark() {
    TieredAppender appender = tiered.appender();
    while (!Thread.currentThread().isInterrupted()) {
      progress.durableUpTo(appender.snapshot().durableUpTo().orElseThrow());
      Await.pass(WATCH_EVERY);
    }
  }

  private void prepareEnd(String end) {
    switch (end) {
      case "released" -> startDaemon(this::releaseWithParent);
      case "interrupted" -> {
        startDaemon(this::releaseWithParent);
        startDaemon(this::interruptOthers);
      }
      case "exiting" -> {
        Runtime.getRuntime().addShutdownHook(new Thread(this::logAtShutdown));
        startDaemon(
            () -> {
              awaitParent();
              System.exit(0);
            });
      }
      case "leaking" -> startDaemon(LoggingChild::leak);
      default -> {}
    }
  }

  private static void startDaemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  private void releaseWithParent() {
    awaitParent();
    released = true;
  }

  private void interruptOthers() {
    Random random = new Random();
    while (!released) {
      Await.pass(Duration.ofMillis(random.nextInt(8)));
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().matches("(forebay|producer)-.*") && random.nextInt(3) == 0) {
          thread.interrupt();
        }
      }
    }
  }

  /** A hook of the application that logs while the threads do and ends after them. */
  private void logAtShutdown() {
    tiered.log(name + "-hook", 0, HOOK_MESSAGES / 2);
    Await.pass(HOOK_WORKS);
    tiered.log(name + "-hook", HOOK_MESSAGES / 2, HOOK_MESSAGES / 2);
    released = true;
    while (loggingThreads.get() > 0) {
      Await.pass(Duration.ofMillis(1));
    }
    Await.pass(HOOK_WORKS); // an event logged just before the JVM halts can only be lost
  }

  /** Takes memory until somebody ends the process. */
  private static void leak() {
    List<byte[]> leaked = new ArrayList<>();
    while (leaked.size() < Integer.MAX_VALUE) {
      byte[] bytes = new byte[LEAK_BYTES];
      Arrays.fill(bytes, (byte) 1);
      leaked.add(bytes);
      Await.pass(Duration.ofMillis(1));
    }
  }

  /** Until the parent lets go; writes down warnings meanwhile. */
  private void waitForParent() throws IOException {
    CompletableFuture<Void> released = CompletableFuture.runAsync(this::awaitParent);
    while (!released.isDone()) {
      Files.writeString(reports.resolve("status"), String.join("\n", tiered.problems()));
      Await.pass(Duration.ofMillis(10L * PAUSE_MS));
    }
  }

  /** Until the parent closes the pipe or, where there is no pipe, removes a file. */
  private void awaitParent() {
    if (Files.exists(held)) {
      while (Files.exists(held)) {
        Await.pass(Duration.ofMillis(10));
      }
      return;
    }
    try {
      System.in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void logFrom(int threads) throws InterruptedException {
    List<Thread> producers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int producer = i;
      Thread thread = new Thread(() -> logAll(producer), "producer-" + i);
      loggingThreads.incrementAndGet();
      thread.start();
      producers.add(thread);
    }
    for (Thread thread : producers) {
      thread.join();
    }
  }

  private void logAll(int producer) {
    Logger logger = tiered.logger();
    String fullName = name + "-" + producer;
    for (long number = 0; number < count && !released; number++) {
      String text = new Numbered(fullName, number).text();
      progress.offered(producer, number + 1);
      calls.measure(() -> logger.info(text));
      progress.longestCallNs(calls.longestNs());
      progress.longestOwnCallNs(calls.longestOwnNs());
      if (flushEvery == Child.EACH_CALL) {
        progress.acked(producer, number + 1);
      }
      if (flushEvery > 0 && (number + 1) % flushEvery == 0 && tiered.appender().flush(FLUSH)) {
        progress.acked(producer, number + 1);
      }
      if (paceEvery > 0 && (number + 1) % paceEvery == 0) {
        Await.pass(Duration.ofMillis(PAUSE_MS));
      }
    }
    loggingThreads.decrementAndGet();
  }
}
