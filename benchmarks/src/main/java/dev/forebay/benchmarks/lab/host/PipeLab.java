package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.PipePeer;
import dev.forebay.benchmarks.lab.child.PipeChild;
import dev.forebay.host.Await;
import dev.forebay.host.Cleanup;
import dev.forebay.host.PipeReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * {@code lab pipe [seconds]}: standard output as a pipe whose reader stops for so long, or reads
 * slowly. Prints a table; a run of ours whose events are not all accounted for fails it.
 */
final class PipeLab {

  /** The first argument of the lab. */
  static final String WORD = "pipe";

  private static final int DEFAULT_SECONDS = 10;
  private static final int SECONDS_BEFORE = 1;
  private static final int SECONDS_AFTER = 3;
  private static final int SLOW_BYTES_PER_SECOND = 10 * 1024;
  private static final double NS_PER_MS = 1e6;
  private static final double NS_PER_US = 1e3;

  private final List<String> arguments;
  private final PrintStream out;

  PipeLab(List<String> arguments, PrintStream out) {
    this.arguments = arguments;
    this.out = out;
  }

  /** What a child tells, see {@link PipeChild}, and how many lines its reader got. */
  record Row(long calls, long dropped, long inFlight, long longestNs, long cpuNs, long lines) {

    static Row of(String figures, long lines) {
      long[] values =
          Stream.of(figures.split(" ", -1)).skip(1).mapToLong(Long::parseLong).toArray();
      return new Row(values[0], values[1], values[2], values[3], values[4], lines);
    }

    /** Neither read nor counted. */
    long missing() {
      return calls - lines - dropped - inFlight;
    }

    String text(PipePeer peer, String reader) {
      return String.format(
          Locale.ROOT,
          "| %s | %s | %,d | %,.3f ms | %,d | %,d | %,d | %,d | %.1f µs |",
          reader,
          peer.label(),
          calls,
          longestNs / NS_PER_MS,
          lines,
          dropped,
          inFlight,
          missing(),
          cpuNs / NS_PER_US / calls);
    }
  }

  /** Runs; returns the exit code. */
  int run() throws IOException, InterruptedException {
    int seconds = arguments.isEmpty() ? DEFAULT_SECONDS : CommandLine.count(arguments.get(0));
    out.printf("%s, %s%n", Machine.processor().orElse("?"), Machine.commit().orElse("?"));
    out.println(
        "| reader | appender | log calls | longest | lines read | dropped, counted | in the spool |"
            + " missing | CPU a call |");
    out.println("|---|---|--:|--:|--:|--:|--:|--:|--:|");
    boolean isSound = true;
    try (Cleanup cleanup = Cleanup.open()) {
      Path libraries = cleanup.own(() -> WorkDirectory.in(Path.of("target", "lab"))).path();
      for (int rate : List.of(PipeReader.STALLED, SLOW_BYTES_PER_SECOND)) {
        for (PipePeer peer : PipePeer.values()) {
          Row row = measure(peer, rate, seconds, libraries);
          out.println(row.text(peer, rate == PipeReader.STALLED ? "stops" : "10 KB/s"));
          isSound &= !peer.isForebay() || row.missing() == 0;
        }
      }
    }
    return isSound ? 0 : 1;
  }

  /** One run; the reader is ill for so many seconds. */
  static Row measure(PipePeer peer, int rate, int seconds, Path libraries)
      throws IOException, InterruptedException {
    try (Cleanup cleanup = Cleanup.open()) {
      Path spool = cleanup.own(() -> WorkDirectory.in(Lab.SHARED_MEMORY)).path();
      List<String> command =
          new ArrayList<>(new PeerLauncher().command(peer.sibling(), libraries, PipeChild.class));
      command.add(peer.name());
      command.add(String.valueOf(SECONDS_BEFORE + seconds + SECONDS_AFTER));
      command.add(spool.toString());
      Process child = new ProcessBuilder(command).start();
      cleanup.own(() -> child::destroyForcibly);
      AtomicLong lines = new AtomicLong();
      CompletableFuture<Void> measuring = new CompletableFuture<>();
      CompletableFuture<String> figures = new CompletableFuture<>();
      PipeReader reader =
          PipeReader.of(
              child.getInputStream(),
              line -> {
                if (line.contains(PipeChild.LOGGER)) { // not what Logback says of itself, or we
                  lines.incrementAndGet();
                }
              });
      PipeReader told =
          PipeReader.of(
              child.getErrorStream(),
              line -> {
                if (line.equals("measuring")) {
                  measuring.complete(null);
                } else if (line.startsWith("figures ")) {
                  figures.complete(line);
                } else {
                  System.err.println(line);
                }
              });
      measuring.orTimeout(1, TimeUnit.MINUTES).join();
      Await.pass(Duration.ofSeconds(SECONDS_BEFORE));
      reader.read(rate);
      Await.pass(Duration.ofSeconds(seconds));
      reader.read(PipeReader.FAST);
      reader.awaitEnd();
      told.awaitEnd();
      return Row.of(figures.orTimeout(1, TimeUnit.SECONDS).join(), lines.get());
    }
  }
}
