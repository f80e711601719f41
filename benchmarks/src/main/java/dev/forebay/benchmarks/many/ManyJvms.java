package dev.forebay.benchmarks.many;

import dev.forebay.benchmarks.ScratchDirectories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * {@code many-jvms [number ...]} prints a table with a row for each number of small programs, each
 * a JVM with one log, and each way to write it. A second shipper waits; the first one is killed.
 */
public final class ManyJvms {

  private static final String HEADER =
      """
      | appender | JVMs | threads | ours | open files | resident, shared pages once | tmpfs | CPU | lines, each once | |
      |---|--:|--:|--:|--:|--:|--:|--:|--:|---|
      """;

  /** Programs that start together. */
  private static final int STEP = 4;

  /** Longer than the threads keep polling after their last work. */
  private static final Duration SETTLING = Duration.ofSeconds(15);

  private static final Duration MEASURED = Duration.ofSeconds(Long.getLong("many.seconds", 60));
  private static final long LOOK_MS = 20;
  private static final int LONGEST_LOOKS = 3000;
  private static final double KIB = 1024;
  private static final double PERCENT = 100;

  private final Crowd.Kind kind;
  private final int size;
  private final List<Process> programs = new ArrayList<>();
  private final List<Path> logs = new ArrayList<>();

  private ManyJvms(Crowd.Kind kind, int size) {
    this.kind = kind;
    this.size = size;
  }

  /** Measures each number with each kind of appender. */
  public static void run(List<String> numbers) throws IOException, InterruptedException {
    System.out.print(HEADER);
    for (String number : numbers.isEmpty() ? List.of("100") : numbers) {
      for (Crowd.Kind kind : Crowd.Kind.values()) {
        System.out.print(new ManyJvms(kind, Integer.parseInt(number)).measure());
      }
    }
  }

  private String measure() throws IOException, InterruptedException {
    boolean isApart = kind == Crowd.Kind.APART;
    try (ScratchDirectories scratch = new ScratchDirectories();
        Shipper first = Shipper.start(isApart, scratch.spool())) {
      Path isWanted = Files.createFile(scratch.logFile().resolveSibling("wanted"));
      startAll(scratch, isWanted);
      try (Shipper second = Shipper.start(isApart, scratch.spool())) {
        Thread.sleep(SETTLING.toMillis());
        Footprint before = all(first);
        Thread.sleep(MEASURED.toMillis());
        Footprint after = all(first);
        long spoolKib = Crowd.kib(scratch.spool());
        String shippers =
            isApart
                ? "shipper %.0f MB, the second %.0f, which takes over in %.1f s"
                    .formatted(
                        first.now().sharedKib() / KIB,
                        second.now().sharedKib() / KIB,
                        takeOver(first).toMillis() / 1e3)
                : "";
        Files.delete(isWanted);
        return String.format(
            Locale.ROOT,
            "| %s | %,d | %,d | %,d | %,d | %,.0f MB | %,d KiB | %.1f %% | %,d | %s |%n",
            kind,
            size,
            after.allThreads(),
            after.threads(),
            after.files(),
            after.sharedKib() / KIB,
            spoolKib,
            PERCENT * (after.cpuNs() - before.cpuNs()) / MEASURED.toNanos(),
            lines(),
            shippers);
      }
    } finally {
      programs.forEach(Process::destroyForcibly);
    }
  }

  private void startAll(ScratchDirectories scratch, Path isWanted)
      throws IOException, InterruptedException {
    for (int number = 0; number < size; number++) {
      Path log = scratch.logFile().resolveSibling(number + "/app.log");
      logs.add(log);
      programs.add(start(log, scratch.spool(), isWanted));
      if (programs.size() % STEP == 0 || programs.size() == size) {
        awaitGrowth(Collections.nCopies(logs.size(), 0L));
      }
    }
  }

  private Process start(Path log, Path spool, Path isWanted) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx32m",
            "-XX:-UsePerfData", // prints when a number is taken
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            OneLog.class.getName(),
            kind.name(),
            log.toString(),
            spool.toString(),
            isWanted.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Waits until each log of a program that was started has more bytes than these. */
  private void awaitGrowth(List<Long> sizes) throws IOException, InterruptedException {
    for (int i = 0; i < logs.size(); i++) {
      while (!Files.exists(logs.get(i)) || Files.size(logs.get(i)) <= sizes.get(i)) {
        if (!programs.get(i).isAlive()) {
          throw new IOException("the program of " + logs.get(i) + " has ended");
        }
        Thread.sleep(LOOK_MS);
      }
    }
  }

  /** Of all programs and the shipper that works. */
  private Footprint all(Shipper shipper) throws IOException {
    Footprint sum = shipper.now();
    for (Process program : programs) {
      sum = sum.plus(Footprint.of(program.toHandle()));
    }
    return sum;
  }

  /** Kills a shipper; how long it takes until the last log grows again. */
  private Duration takeOver(Shipper shipper) throws IOException, InterruptedException {
    long startNs = System.nanoTime();
    shipper.kill();
    List<Long> sizes = new ArrayList<>();
    for (Path log : logs) {
      sizes.add(Files.size(log));
    }
    awaitGrowth(sizes);
    return Duration.ofNanos(System.nanoTime() - startNs);
  }

  /** Waits for the end of all programs; lines in all logs, each of which is there once. */
  private long lines() throws IOException, InterruptedException {
    long sum = 0;
    for (int i = 0; i < size; i++) {
      String printed =
          new String(programs.get(i).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int logged = Integer.parseInt(printed.strip());
      List<String> lines = Files.readAllLines(logs.get(i));
      for (int look = 0; lines.size() < logged && look < LONGEST_LOOKS; look++) {
        Thread.sleep(LOOK_MS);
        lines = Files.readAllLines(logs.get(i));
      }
      for (int number = 0; number < Math.max(logged, lines.size()); number++) {
        if (number >= lines.size() || !lines.get(number).endsWith(" - number " + number)) {
          throw new IOException(
              "%s has %d lines, not each of %d once: look at line %d"
                  .formatted(logs.get(i), lines.size(), logged, number));
        }
      }
      sum += logged;
    }
    return sum;
  }
}
