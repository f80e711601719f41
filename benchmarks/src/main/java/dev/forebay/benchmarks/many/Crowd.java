package dev.forebay.benchmarks.many;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import dev.forebay.benchmarks.ScratchDirectories;
import dev.forebay.host.Command;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A number of appenders in one context, each with a logger and a log, all defaults. */
final class Crowd {

  static final String HEADER =
      """
      | appenders | threads | open files: started | used | resident memory | tmpfs | start | stop | threads begun | CPU |
      |--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  /** Longer than the threads keep polling after their last work. */
  private static final Duration SETTLING = Duration.ofSeconds(8);

  private static final double KIB = 1024;
  private static final double PERCENT = 100;

  private final int size;
  private final Duration idle;
  private final LoggerContext context = new LoggerContext();
  private final List<TieredAppender> appenders = new ArrayList<>();

  private Crowd(int size, Duration idle) {
    this.size = size;
    this.idle = idle;
  }

  /** Measures and returns a row of the table. */
  static String measure(int size, Duration idle) throws IOException, InterruptedException {
    try (ScratchDirectories scratch = new ScratchDirectories()) {
      return new Crowd(size, idle).measure(scratch);
    }
  }

  private String measure(ScratchDirectories scratch) throws IOException, InterruptedException {
    for (int number = 0; number < size; number++) {
      appenders.add(appender(number, scratch));
    }
    System.gc();
    Footprint before = Footprint.now();
    long startNs = System.nanoTime();
    appenders.forEach(TieredAppender::start);
    long startedNs = System.nanoTime() - startNs;
    Footprint started = Footprint.now();
    for (TieredAppender appender : appenders) {
      context.getLogger(appender.getName()).info("the first event of {}", appender.getName());
    }
    Thread.sleep(SETTLING.toMillis());
    Footprint settled = Footprint.now();
    Thread.sleep(idle.toMillis());
    Footprint after = Footprint.now();
    String spoolBytes =
        Command.run("du", "-s", "-B1", scratch.spool().toString()).split("\\s", 2)[0];
    long stopNs = System.nanoTime();
    context.stop();
    long stoppedNs = System.nanoTime() - stopNs;
    requireDelivered();
    return String.format(
        Locale.ROOT,
        "| %,d | %,d | %,d | %,d | %.1f MB | %,d KiB | %,d ms | %,d ms | %,d | %.2f %% |%n",
        size,
        after.threads(),
        started.files(),
        after.files(),
        (after.residentKib() - before.residentKib()) / KIB,
        Long.parseLong(spoolBytes) / (long) KIB,
        TimeUnit.NANOSECONDS.toMillis(startedNs),
        TimeUnit.NANOSECONDS.toMillis(stoppedNs),
        after.begun() - settled.begun(),
        PERCENT * (after.cpuNs() - settled.cpuNs()) / idle.toNanos());
  }

  private TieredAppender appender(int number, ScratchDirectories scratch) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d %-5level %logger - %msg%n");
    encoder.start();
    TieredAppender appender = new TieredAppender();
    appender.setContext(context);
    appender.setName("A" + number);
    Path log = scratch.logFile().resolveSibling("app-" + number + ".log");
    appender.setFile(log.toString());
    appender.setSpoolDirectory(scratch.spool().toString());
    appender.setEncoder(encoder);
    ch.qos.logback.classic.Logger logger = context.getLogger(appender.getName());
    logger.setAdditive(false);
    logger.addAppender(appender);
    return appender;
  }

  private void requireDelivered() {
    for (TieredAppender appender : appenders) {
      if (appender.snapshot().delivered() != 1) {
        throw new IllegalStateException(
            appender.getName() + " did not deliver its event: " + appender.snapshot());
      }
    }
  }
}
