package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.KafkaPeer;
import dev.forebay.benchmarks.lab.child.KafkaChild;
import dev.forebay.benchmarks.lab.child.KafkaReader;
import dev.forebay.benchmarks.lab.child.PeerLibraries;
import dev.forebay.host.Await;
import dev.forebay.host.Cleanup;
import dev.forebay.host.PipeReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code lab kafka [part]... [peer]...}: appenders to a topic of a broker on this machine, which a
 * {@code read_committed} consumer reads. Prints a line for each part and peer; a run of ours in
 * which an event is lost, doubled or not accounted for fails it.
 */
final class KafkaLab {

  /** The first argument of the lab. */
  static final String WORD = "kafka";

  /** What is measured. */
  enum Part {
    /** Log calls at 2 × 10,000 a second. */
    HEALTHY,
    /** The same while the broker is stopped for half a minute. */
    STOPPED,
    /** 2 × 50 calls a second, whose lines are read as they come. */
    LATENCY,
    /** As fast as it goes, until all is committed. */
    FLAT,
    /**
     * The same by Kafka's own performance test, with our client settings and transactions, for the
     * line alone and for the whole record.
     */
    PERF,
    /** 1 GB that a spool holds after an outage, beside live calls. */
    BACKLOG
  }

  private static final List<String> SILENT =
      List.of("-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener");
  private static final long FLAT_EVENTS = 3_000_000;

  /** Of the lines of {@link KafkaChild}. */
  private static final int LINE_BYTES = 110;

  /** Of the same with our key and headers. */
  private static final int RECORD_BYTES = 216;

  private static final long BACKLOG_EVENTS = 9_000_000;
  private static final String PER_SECOND = "10000";
  private static final String CLIENT =
      System.getProperty("lab.kafka.client", "linger.ms=5 batch.size=131072");
  private static final Duration BEFORE = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Duration OUTAGE = Duration.ofSeconds(30);
  private static final double NS_PER_MS = 1e6;
  private static final double NS_PER_US = 1e3;
  private static final double NS_PER_S = 1e9;
  private static final double BYTES_PER_MB = 1e6;

  private final Set<Part> parts = EnumSet.noneOf(Part.class);
  private final Set<KafkaPeer> peers = EnumSet.noneOf(KafkaPeer.class);
  private final PrintStream out;

  KafkaLab(List<String> arguments, PrintStream out) {
    this.out = out;
    for (String argument : arguments) {
      String name = argument.toUpperCase(Locale.ROOT).replace('-', '_');
      if (Arrays.stream(Part.values()).anyMatch(part -> part.name().equals(name))) {
        parts.add(Part.valueOf(name));
      } else {
        peers.add(KafkaPeer.valueOf(name));
      }
    }
    parts.addAll(parts.isEmpty() ? EnumSet.allOf(Part.class) : Set.of());
    peers.addAll(peers.isEmpty() ? EnumSet.allOf(KafkaPeer.class) : Set.of());
  }

  /** What a {@link KafkaChild} and a {@link KafkaReader} tell. */
  record Row(List<Long> child, List<Long> reader) {

    static List<Long> figures(String line) {
      return Stream.of(line.split(" ", -1)).skip(1).map(Long::valueOf).toList();
    }

    /** Calls of which there is neither a line nor a counted drop. */
    long lost() {
      return child.get(0) - child.get(1) - (reader.get(0) - reader.get(1));
    }

    boolean isSound() {
      return lost() == 0 && reader.get(1) == 0;
    }

    String text(Part part, KafkaPeer peer) {
      double seconds = child.get(6) / NS_PER_S;
      String figures =
          switch (part) {
            case HEALTHY, STOPPED -> callTimes();
            case LATENCY -> times("visible after ms", reader, 2, NS_PER_MS);
            case FLAT -> String.format(Locale.ROOT, "%,.0f events/s", FLAT_EVENTS / seconds);
            default -> backlog(seconds) + callTimes();
          };
      return String.format(
          Locale.ROOT,
          "| %s | %s | %s | %,d | %,d | %,d | %,d |",
          part.name().toLowerCase(Locale.ROOT),
          peer.label(),
          figures,
          child.get(0),
          child.get(1),
          lost(),
          reader.get(1));
    }

    private static String backlog(double seconds) {
      return seconds == 0
          ? "NOT DRAINED, "
          : String.format(
              Locale.ROOT,
              "drained in %,.1f s: %,.0f MB/s, ",
              seconds,
              BACKLOG_EVENTS * LINE_BYTES / seconds / BYTES_PER_MB);
    }

    private String callTimes() {
      return times("µs", child, 2, NS_PER_US);
    }

    private static String times(String unit, List<Long> ns, int first, double factor) {
      return String.format(
          Locale.ROOT,
          "%s: p50 %,.2f, p99 %,.1f, p99.9 %,.1f, longest %,.1f",
          unit,
          ns.get(first) / factor,
          ns.get(first + 1) / factor,
          ns.get(first + 2) / factor,
          ns.get(first + 3) / factor);
    }
  }

  /** Runs; returns the exit code. */
  int run() throws IOException, InterruptedException {
    out.printf("%s, %s%n", Machine.processor().orElse("?"), Machine.commit().orElse("?"));
    out.println("| part | appender | figures | calls | dropped, counted | lost | doubled |");
    out.println("|---|---|---|--:|--:|--:|--:|");
    boolean isSound = true;
    for (Part part : parts) {
      if (part == Part.PERF) {
        performanceTest(LINE_BYTES);
        performanceTest(RECORD_BYTES);
        continue;
      }
      for (KafkaPeer peer : peers) {
        if (part != Part.BACKLOG || peer.isForebay()) {
          Row row = measure(part, peer);
          out.println(row.text(part, peer));
          isSound &= !peer.isForebay() || row.isSound();
          isSound &= part != Part.BACKLOG || row.child().get(6) > 0;
        }
      }
    }
    return isSound ? 0 : 1;
  }

  private static Row measure(Part part, KafkaPeer peer) throws IOException, InterruptedException {
    try (Cleanup cleanup = Cleanup.open()) {
      Path directory = cleanup.own(() -> WorkDirectory.in(Path.of("target", "lab"))).path();
      Path spool = cleanup.own(() -> WorkDirectory.in(Lab.SHARED_MEMORY)).path();
      KafkaBroker broker = cleanup.own(() -> broker(directory));
      String topic = "lab";
      Told live = part == Part.LATENCY ? reader(cleanup, broker, topic, directory) : null;
      List<String> command = new ArrayList<>(java(peer, directory, SILENT));
      command.addAll(List.of(KafkaChild.class.getName(), peer.name(), broker.address(), topic));
      command.add(spool.toString());
      command.addAll(
          switch (part) {
            case HEALTHY -> List.of("paced", PER_SECOND, "30");
            case STOPPED -> List.of("paced", PER_SECOND, "40");
            case LATENCY -> List.of("paced", "50", "60");
            case FLAT -> List.of("flat", String.valueOf(FLAT_EVENTS));
            default -> List.of("backlog", String.valueOf(BACKLOG_EVENTS), PER_SECOND, "90");
          });
      Told child = new Told(cleanup, command);
      child.await(child.measuring);
      if (part == Part.STOPPED) {
        Await.pass(BEFORE);
        broker.signal("STOP");
        Await.pass(OUTAGE);
        broker.signal("CONT");
      } else if (part == Part.BACKLOG) {
        broker.signal("STOP");
        child.await(child.filled);
        broker.signal("CONT");
      }
      List<Long> figures = child.figures();
      Told reader = live == null ? reader(cleanup, broker, topic, directory) : live;
      reader.process.getOutputStream().close();
      return new Row(figures, reader.figures());
    }
  }

  private void performanceTest(int recordBytes) throws IOException, InterruptedException {
    try (Cleanup cleanup = Cleanup.open()) {
      Path directory = cleanup.own(() -> WorkDirectory.in(Path.of("target", "lab"))).path();
      KafkaBroker broker = cleanup.own(() -> broker(directory));
      List<String> command = new ArrayList<>(java(KafkaPeer.PRODUCER, directory, quiet()));
      command.addAll(
          List.of(
              "org.apache.kafka.tools.ProducerPerformance",
              "--topic",
              "perf",
              "--num-records",
              String.valueOf(FLAT_EVENTS),
              "--record-size",
              String.valueOf(recordBytes),
              "--throughput",
              "-1",
              "--transactional-id",
              "perf",
              "--transaction-duration-ms",
              "100",
              "--producer-props",
              "bootstrap.servers=" + broker.address()));
      command.addAll(List.of(CLIENT.split(" ", -1)));
      Process test = new ProcessBuilder(command).redirectErrorStream(true).start();
      cleanup.own(() -> test::destroyForcibly);
      List<String> lines = new ArrayList<>();
      PipeReader.of(test.getInputStream(), lines::add).awaitEnd();
      String figures = lines.get(lines.size() - 1);
      out.printf("| perf | `kafka-producer-perf-test`, %d B | %s ||||%n", recordBytes, figures);
    }
  }

  private static KafkaBroker broker(Path directory) throws IOException {
    return KafkaBroker.start(directory, java(KafkaPeer.PRODUCER, directory, quiet()));
  }

  private static List<String> quiet() {
    return List.of("-Dlogback.configurationFile=lab/kafka-broker.xml");
  }

  private static List<String> java(KafkaPeer peer, Path directory, List<String> options)
      throws IOException {
    PeerLibraries.Launch launch = PeerLibraries.of(peer, directory);
    return JavaCommand.measured(
        launch.classPath(), Stream.concat(launch.jvmOptions().stream(), options.stream()).toList());
  }

  private static Told reader(Cleanup cleanup, KafkaBroker broker, String topic, Path directory)
      throws IOException {
    List<String> command = new ArrayList<>(java(KafkaPeer.PRODUCER, directory, quiet()));
    command.addAll(List.of(KafkaReader.class.getName(), broker.address(), topic));
    return new Told(cleanup, command);
  }

  /** A child and what it says. */
  private static final class Told {
    private final Process process;
    private final CompletableFuture<String> measuring = new CompletableFuture<>();
    private final CompletableFuture<String> filled = new CompletableFuture<>();
    private final CompletableFuture<String> figures = new CompletableFuture<>();

    Told(Cleanup cleanup, List<String> command) throws IOException {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
      cleanup.own(() -> process::destroyForcibly);
      PipeReader.of(process.getInputStream(), this::take);
    }

    private void take(String line) {
      if (line.equals("measuring")) {
        measuring.complete(line);
      } else if (line.equals("filled")) {
        filled.complete(line);
      } else if (line.startsWith("figures ")) {
        figures.complete(line);
      } else {
        System.err.println(line);
      }
    }

    /** Waits until it says this; fails if it ends without. */
    String await(CompletableFuture<String> word) {
      Await.within(PATIENCE, () -> word.isDone() || !process.isAlive());
      return word.orTimeout(1, TimeUnit.SECONDS).join();
    }

    List<Long> figures() {
      return Row.figures(await(figures));
    }
  }
}
