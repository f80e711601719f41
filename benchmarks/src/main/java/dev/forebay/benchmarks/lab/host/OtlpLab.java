package dev.forebay.benchmarks.lab.host;

import dev.forebay.agent.NanoClock;
import dev.forebay.benchmarks.lab.OtlpPeer;
import dev.forebay.benchmarks.lab.child.OtlpChild;
import dev.forebay.benchmarks.lab.child.PeerLibraries;
import dev.forebay.host.Await;
import dev.forebay.host.Cleanup;
import dev.forebay.host.PipeReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * {@code lab otlp [none]}: appenders to a collector on this machine, which drops what it has taken,
 * with requests compressed by gzip or not. Prints a line for each load and peer; a run of ours in
 * which an event is lost fails it.
 */
final class OtlpLab {

  /** The first argument of the lab. */
  static final String WORD = "otlp";

  private static final List<String> FLAT = List.of("flat", "3000000");
  private static final List<String> PACED = List.of("paced", "10000", "20");
  private static final List<String> LATENCY = List.of("paced", "50", "30");
  private static final Duration POLL = Duration.ofMillis(1);
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Pattern CALL = Pattern.compile("Order \\d+ at (\\d+)");

  /** Young code on both sides is no subject here. */
  private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(5);

  private static final double NS_PER_MS = 1e6;
  private static final double NS_PER_S = 1e9;

  private final String compression;
  private final PrintStream out;

  OtlpLab(List<String> arguments, PrintStream out) {
    this.compression = arguments.isEmpty() ? "gzip" : arguments.get(0);
    this.out = out;
  }

  /** Runs; returns the exit code. */
  int run() throws IOException, InterruptedException {
    out.printf(
        "%s, %s, compression %s%n",
        Machine.processor().orElse("?"), Machine.commit().orElse("?"), compression);
    out.println("| load | appender | events/s there | processor time of one, µs | calls | lost |");
    out.println("|---|---|--:|--:|--:|--:|");
    boolean isSound = true;
    for (List<String> load : List.of(FLAT, PACED)) {
      for (OtlpPeer peer : OtlpPeer.values()) {
        isSound &= measure(load, peer) == 0 || peer != OtlpPeer.FOREBAY;
      }
    }
    for (OtlpPeer peer : OtlpPeer.values()) {
      measureLatency(peer);
    }
    return isSound ? 0 : 1;
  }

  /** Returns how many were lost. */
  private long measure(List<String> load, OtlpPeer peer) throws IOException, InterruptedException {
    try (Cleanup cleanup = Cleanup.open()) {
      Path directory = cleanup.own(() -> WorkDirectory.in(Path.of("target", "lab"))).path();
      OtlpCollector collector = cleanup.own(() -> OtlpCollector.start(directory, "nop: "));
      long[] warm = new long[1];
      List<Long> child =
          child(cleanup, peer, collector, directory, load, () -> warm[0] = collector.accepted());
      long there = collector.accepted() - warm[0];
      long lost = child.get(0) - there;
      out.printf(
          Locale.ROOT,
          "| %s | %s | %,.0f | %.2f | %,d | %,d |%n",
          String.join(" ", load),
          peer.label(),
          there / (child.get(1) / NS_PER_S),
          child.get(2) / 1e3 / there,
          child.get(0),
          lost);
      return lost;
    }
  }

  private void measureLatency(OtlpPeer peer) throws IOException, InterruptedException {
    try (Cleanup cleanup = Cleanup.open()) {
      Path directory = cleanup.own(() -> WorkDirectory.in(Path.of("target", "lab"))).path();
      Path output = directory.resolve("received").toAbsolutePath();
      OtlpCollector collector =
          cleanup.own(
              () ->
                  OtlpCollector.start(
                      directory,
                      "file: {path: %s, rotation: {max_megabytes: 100000}}".formatted(output)));
      Histogram delays = new Histogram(TimeUnit.HOURS.toNanos(1), 3);
      Thread reader = new Thread(() -> follow(output, delays), "reader");
      reader.setDaemon(true);
      List<Long> unused = child(cleanup, peer, collector, directory, LATENCY, reader::start);
      reader.interrupt();
      reader.join();
      out.printf(
          Locale.ROOT,
          "| %s | %s | there after ms: p50 %.1f, p99 %.1f | | %,d | |%n",
          String.join(" ", LATENCY),
          peer.label(),
          delays.getValueAtPercentile(50) / NS_PER_MS,
          delays.getValueAtPercentile(99) / NS_PER_MS,
          delays.getTotalCount());
    }
  }

  /** Reads what comes from now on. */
  private static void follow(Path output, Histogram delays) {
    try (BufferedReader lines = Files.newBufferedReader(output)) {
      while (lines.readLine() != null) {
        // of the warm-up
      }
      long fromNs = NanoClock.SYSTEM.nanoTime();
      boolean isOver = false;
      while (!isOver) {
        String line = lines.readLine();
        long nowNs = NanoClock.SYSTEM.nanoTime();
        if (line == null) {
          isOver = Thread.currentThread().isInterrupted();
          Await.pass(POLL);
          continue;
        }
        Matcher calls = CALL.matcher(line);
        while (calls.find()) {
          long calledNs = Long.parseLong(calls.group(1));
          if (calledNs - fromNs > WARM_UP_NS) {
            delays.recordValue(Math.max(0, nowNs - calledNs));
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What happens between a child's warm-up and its load. */
  private interface Begin {
    void happens() throws IOException;
  }

  /** What a child tells. */
  private List<Long> child(
      Cleanup cleanup,
      OtlpPeer peer,
      OtlpCollector collector,
      Path directory,
      List<String> load,
      Begin begin)
      throws IOException, InterruptedException {
    Path spool = cleanup.own(() -> WorkDirectory.in(Lab.SHARED_MEMORY)).path();
    PeerLibraries.Launch launch = PeerLibraries.of(peer, directory);
    List<String> command =
        new ArrayList<>(
            JavaCommand.measured(
                launch.classPath(),
                Stream.concat(
                        launch.jvmOptions().stream(),
                        Stream.of(
                            "-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener"))
                    .toList()));
    command.addAll(
        List.of(OtlpChild.class.getName(), peer.name(), collector.endpoint(), compression));
    command.add(spool.toString());
    command.addAll(load);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    cleanup.own(() -> process::destroyForcibly);
    List<String> said = new ArrayList<>();
    PipeReader told =
        PipeReader.of(
            process.getInputStream(),
            line -> {
              said.add(line);
              if (line.equals("warm")) {
                try {
                  begin.happens();
                  process.getOutputStream().close();
                } catch (IOException e) {
                  said.add(e.toString());
                }
              }
            });
    boolean isOver = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (isOver) {
      told.awaitEnd();
    }
    return said.stream()
        .filter(line -> line.startsWith("figures "))
        .findFirst()
        .map(line -> Stream.of(line.split(" ", -1)).skip(1).map(Long::valueOf).toList())
        .orElseThrow(() -> new IllegalStateException("no figures: " + said));
  }
}
