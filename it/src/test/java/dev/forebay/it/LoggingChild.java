package dev.forebay.it;

import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A child process that logs numbered messages from some threads until it has done its work or is
 * killed. Reports through {@link Progress}; its last words are in the files beside that: "account"
 * and "status".
 */
final class LoggingChild {

  private static final Duration FLUSH = Duration.ofSeconds(60);

  private final Tiered tiered;
  private final Progress progress;
  private final String name;
  private final long count;
  private final int flushEvery;
  private final int paceEvery;
  private final CallTimes calls = new CallTimes();

  private LoggingChild(Tiered tiered, Progress progress, String[] args) {
    this.tiered = tiered;
    this.progress = progress;
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
   *     none), and what to do at the end: stop, exit or wait
   */
  public static void main(String[] args) throws Exception {
    Path reports = Path.of(args[1]);
    Progress progress = Progress.at(reports.resolve("progress"));
    SeededIds.installIfWanted();
    progress.up();
    Tiered tiered = Tiered.configured(Files.readString(Path.of(args[0])));
    LoggingChild child = new LoggingChild(tiered, progress, args);
    int threads = Integer.parseInt(args[3]);
    if (threads == 1) {
      child.logAll(0);
    } else {
      child.logFrom(threads);
    }
    if (args[7].equals("wait")) {
      child.waitForParent(reports.resolve("status"));
    }
    if (!args[7].equals("exit")) {
      var appender = tiered.appender();
      tiered.close();
      Files.writeString(reports.resolve("account"), appender.snapshot().toString());
      Files.writeString(reports.resolve("status"), String.join("\n", tiered.warnings()));
    }
  }

  /** Until the parent closes the pipe; writes down warnings meanwhile. */
  private void waitForParent(Path status) throws IOException {
    CompletableFuture<Void> released = CompletableFuture.runAsync(LoggingChild::readToTheEnd);
    while (!released.isDone()) {
      Files.writeString(status, String.join("\n", tiered.warnings()));
      Await.pass(Duration.ofMillis(10));
    }
  }

  private static void readToTheEnd() {
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
    for (long number = 0; number < count; number++) {
      String text = new Numbered(fullName, number).text();
      progress.offered(producer, number + 1);
      calls.measure(() -> logger.info(text));
      progress.longestCallNs(calls.longestNs());
      if (flushEvery > 0 && (number + 1) % flushEvery == 0 && tiered.appender().flush(FLUSH)) {
        progress.acked(producer, number + 1);
      }
      if (paceEvery > 0 && (number + 1) % paceEvery == 0) {
        Await.pass(Duration.ofMillis(1));
      }
    }
  }
}
