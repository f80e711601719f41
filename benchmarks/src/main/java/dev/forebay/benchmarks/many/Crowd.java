package dev.forebay.benchmarks.many;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
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
      | appender | number | threads | open files: started | used | resident memory | heap | outside it | tmpfs | start | its CPU | stop | threads begun | CPU |
      |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  /** Longer than the threads keep polling after their last work. */
  private static final Duration SETTLING = Duration.ofSeconds(8);

  private static final Duration LONGEST_FLUSH = Duration.ofSeconds(30);

  private static final double KIB = 1024;
  private static final double PERCENT = 100;

  private final Kind kind;
  private final int size;
  private final Duration idle;
  private final LoggerContext context = new LoggerContext();
  private final List<Appender<ILoggingEvent>> appenders = new ArrayList<>();

  /** All with the same rolling policy and encoder. */
  enum Kind {
    TIERED,
    APART,
    ROLLING
  }

  private Crowd(Kind kind, int size, Duration idle) {
    context.setMDCAdapter(new LogbackMDCAdapter()); // else events are dropped
    this.kind = kind;
    this.size = size;
    this.idle = idle;
  }

  /** Measures and returns a row of the table. */
  static String measure(Kind kind, int size, Duration idle)
      throws IOException, InterruptedException {
    try (ScratchDirectories scratch = new ScratchDirectories();
        Shipper shipper = Shipper.start(kind == Kind.APART, scratch.spool())) {
      return new Crowd(kind, size, idle).measure(scratch, shipper);
    }
  }

  private String measure(ScratchDirectories scratch, Shipper shipper)
      throws IOException, InterruptedException {
    for (int number = 0; number < size; number++) {
      Path log = scratch.logFile().resolveSibling("app-" + number + ".log");
      appenders.add(appender(kind, context, "A" + number, log, scratch.spool()));
    }
    Held heldBefore = Held.now();
    Footprint before = Footprint.now();
    long startNs = System.nanoTime();
    Duration startCpu = cpu();
    appenders.forEach(Appender::start);
    long startedNs = System.nanoTime() - startNs;
    long startedCpuMs = cpu().minus(startCpu).toMillis();
    Footprint started = Footprint.now();
    for (Appender<ILoggingEvent> appender : appenders) {
      context.getLogger(appender.getName()).info("the first event of {}", appender.getName());
    }
    Thread.sleep(SETTLING.toMillis());
    Footprint settled = Footprint.now();
    shipper.settled();
    Thread.sleep(idle.toMillis());
    Footprint after = Footprint.now();
    Held held = Held.now();
    long spoolKib = kib(scratch.spool());
    String ofShipper = shipper.row(idle);
    requireCommitted();
    long stopNs = System.nanoTime();
    context.stop();
    long stoppedNs = System.nanoTime() - stopNs;
    requireDelivered();
    String row =
        String.format(
            Locale.ROOT,
            "| %s | %,d | %,d | %,d | %,d | %.1f MB | %.1f MB | %.1f MB | %,d KiB | %,d ms | %,d ms | %,d ms | %,d | %.3f %% |%n",
            appenders.get(0).getClass().getSimpleName() + (kind == Kind.APART ? ", apart" : ""),
            size,
            after.threads(),
            started.files(),
            after.files(),
            (after.residentKib() - before.residentKib()) / KIB,
            (held.heapBytes() - heldBefore.heapBytes()) / KIB / KIB,
            (held.directBytes() - heldBefore.directBytes()) / KIB / KIB,
            spoolKib,
            TimeUnit.NANOSECONDS.toMillis(startedNs),
            startedCpuMs,
            TimeUnit.NANOSECONDS.toMillis(stoppedNs),
            after.begun() - settled.begun(),
            PERCENT * (after.cpuNs() - settled.cpuNs()) / idle.toNanos());
    return row + ofShipper;
  }

  /** One that ships itself waits for that in its stop. */
  private void requireCommitted() {
    for (Appender<ILoggingEvent> each : appenders) {
      boolean unused = each instanceof TieredAppender appender && appender.flush(LONGEST_FLUSH);
    }
  }

  /** What the files in a directory take. */
  static long kib(Path directory) throws IOException {
    return Long.parseLong(Command.run("du", "-s", "-k", directory.toString()).split("\\s", 2)[0]);
  }

  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
  }

  /** One that is the only appender of a logger with its name; not started. */
  static Appender<ILoggingEvent> appender(
      Kind kind, LoggerContext context, String name, Path log, Path spool) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d %-5level %logger - %msg%n");
    encoder.start();
    TimeBasedRollingPolicy<ILoggingEvent> policy = new TimeBasedRollingPolicy<>();
    policy.setContext(context);
    policy.setFileNamePattern(log + ".%d");
    FileAppender<ILoggingEvent> appender =
        kind == Kind.ROLLING ? rolling(policy) : tiered(kind, policy, spool);
    appender.setContext(context);
    appender.setName(name);
    appender.setFile(log.toString());
    appender.setEncoder(encoder);
    policy.setParent(appender);
    policy.start();
    ch.qos.logback.classic.Logger logger = context.getLogger(name);
    logger.setAdditive(false);
    logger.addAppender(appender);
    return appender;
  }

  private static FileAppender<ILoggingEvent> tiered(
      Kind kind, TimeBasedRollingPolicy<ILoggingEvent> policy, Path spool) {
    TieredAppender appender = new TieredAppender();
    appender.setSpoolDirectory(spool.toString());
    appender.setRollingPolicy(policy);
    if (kind == Kind.APART) {
      appender.setShipping("apart");
      appender.setShippingFallback("never");
    }
    return appender;
  }

  private static FileAppender<ILoggingEvent> rolling(TimeBasedRollingPolicy<ILoggingEvent> policy) {
    RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
    appender.setRollingPolicy(policy);
    return appender;
  }

  private void requireDelivered() {
    for (Appender<ILoggingEvent> each : appenders) {
      if (each instanceof TieredAppender appender
          && (appender.snapshot().delivered() != 1 || appender.snapshot().offered() != 1)) {
        throw new IllegalStateException(
            appender.getName() + " did not deliver its event: " + appender.snapshot());
      }
    }
  }
}
