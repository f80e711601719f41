package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.MeasurementFile;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.RunInfo;
import dev.forebay.benchmarks.lab.RunInfo.Fact;
import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.Scenario.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;

/** Measurements that nobody measured: the same in each test, of the sizes that real ones have. */
final class MadeRuns {

  static final int REPETITIONS = 3;

  private static final double NS_PER_S = 1e9;

  private MadeRuns() {}

  /** All peers in all scenarios, written as the lab writes them. */
  static void writeAll(Path directory) throws IOException {
    info().write(directory);
    for (Scenario scenario : Scenario.values()) {
      for (Peer peer : Peer.values()) {
        for (int repetition = 1; repetition <= REPETITIONS; repetition++) {
          write(directory, of(scenario, peer, repetition));
        }
      }
    }
  }

  static void write(Path directory, Measurement run) throws IOException {
    MeasurementFile.write(
        run,
        directory.resolve(MeasurementFile.nameOf(run.scenario(), run.peer(), run.repetition())));
  }

  static RunInfo info() {
    Map<Fact, String> values = new EnumMap<>(Fact.class);
    values.put(Fact.COMMAND, "-jar benchmarks.jar lab -o <results> & more");
    values.put(Fact.BEGIN, "2026-01-02T03:04:05+00:00");
    values.put(Fact.END, "2026-01-02T03:39:00+00:00");
    values.put(Fact.PLANNED, "360");
    values.put(
        Fact.SKIPPED, "full-disk tinylog 3: no time was left\nbusy none 2: ended by a signal");
    values.put(Fact.CPU, "a processor");
    values.put(Fact.PROCESSORS, "2");
    values.put(Fact.LOAD_AT_BEGIN, "0.31 0.40 0.52");
    values.put(Fact.LOAD_AT_END, "1.93 1.80 1.22");
    values.put(Fact.JVM_OPTIONS, "-Xms1g -Xmx1g -XX:+AlwaysPreTouch -XX:+UseG1GC");
    return new RunInfo(
        values,
        Map.of("logback", "logback-classic 1.5.38", "log4j2-disruptor3", "disruptor 3.4.4"));
  }

  /** A run with nothing but its calls. */
  static Measurement calls(Scenario scenario, Peer peer, int repetition, long... ns) {
    Histogram calls = new Histogram(3);
    for (long each : ns) {
      calls.recordValue(each);
    }
    return new Measurement(scenario, peer, repetition, Map.of(), calls, List.of(), -1, -1, null);
  }

  /** A run with figures and no calls. */
  static Measurement figures(
      Scenario scenario, Peer peer, int repetition, Map<Figure, Double> figures) {
    return new Measurement(
        scenario, peer, repetition, figures, new Histogram(3), List.of(), -1, -1, null);
  }

  /** A run as the lab would measure it. */
  static Measurement of(Scenario scenario, Peer peer, int repetition) {
    Random random = new Random(scenario.ordinal() * 1000L + peer.ordinal() * 10L + repetition);
    Histogram calls = calls(scenario, peer, random);
    boolean faulty = scenario.fault() != Fault.NONE;
    boolean isAllTheTime =
        scenario.fault() == Fault.NOISY_NEIGHBOUR || scenario.fault() == Fault.BUSY_PROCESSORS;
    boolean lossy = loses(scenario, peer);
    long fromMs = isAllTheTime ? 0 : faulty ? 2010 : -1;
    long toMs = faulty ? scenario.seconds() * 1000L - 1990 : -1;
    return new Measurement(
        scenario,
        peer,
        repetition,
        figures(scenario, peer, random),
        calls,
        scenario.load() == Load.NONE ? List.of() : longest(scenario, peer, calls, random),
        fromMs,
        isAllTheTime ? scenario.seconds() * 1000L : toMs,
        lossy ? "2,345,678 events unaccounted" : null);
  }

  private static boolean loses(Scenario scenario, Peer peer) {
    boolean full = scenario.load() == Load.UNPACED || scenario.load().isOfANumber();
    return switch (peer) {
      case ASYNC, ASYNC_NEVER_BLOCK ->
          scenario.load() == Load.UNPACED || scenario.fault() == Fault.FROZEN_DISK;
      case LOGSTASH_DISRUPTOR, TINYLOG -> full;
      case CHRONICLE -> scenario.fault() == Fault.FULL_DISK;
      default -> false;
    };
  }

  /** Median of a call under a load that suits the peer. */
  private static double median(Peer peer) {
    return switch (peer) {
      case NONE -> 180;
      case FOREBAY, FOREBAY_CALL, FOREBAY_RING, FOREBAY_FLIGHT, FOREBAY_FLIGHT_BARE -> 290;
      case FILE -> 2900;
      case FILE_UNFLUSHED -> 900;
      case CHRONICLE -> 1400;
      case LOG4J2, LOG4J2_DISRUPTOR4 -> 8200;
      case TINYLOG -> 1100;
      default -> 9400;
    };
  }

  private static Histogram calls(Scenario scenario, Peer peer, Random random) {
    Histogram calls = new Histogram(3);
    int count = scenario.load() == Load.NONE ? 0 : 5_000;
    boolean waits = waits(scenario, peer);
    for (int i = 0; i < count; i++) {
      double ns = median(peer) * Math.exp(0.35 * random.nextGaussian());
      double tail = random.nextDouble();
      ns = tail < 0.01 ? ns * 6 : ns;
      ns = tail < 0.001 ? ns * 20 : ns;
      ns = tail < 0.2 && waits ? 5e9 * random.nextDouble() : ns;
      calls.recordValue((long) ns);
    }
    return calls;
  }

  private static boolean waits(Scenario scenario, Peer peer) {
    return scenario.fault() == Fault.FROZEN_DISK && !peer.isForebay() && peer != Peer.NONE;
  }

  private static List<Long> longest(Scenario scenario, Peer peer, Histogram calls, Random random) {
    List<Long> longest = new ArrayList<>();
    for (int step = 0; step < 10 * Math.max(2, scenario.seconds()); step++) {
      boolean silent = waits(scenario, peer) && step > 21 && step < 70;
      double usual = median(peer) * 120 * Math.exp(0.7 * random.nextGaussian());
      longest.add(silent ? 0L : (long) usual);
    }
    if (waits(scenario, peer)) {
      longest.set(70, calls.getMaxValue());
    }
    return longest;
  }

  private static Map<Figure, Double> figures(Scenario scenario, Peer peer, Random random) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    double noise = 1 + 0.05 * random.nextGaussian();
    double seconds = scenario.seconds() > 0 ? scenario.seconds() : 2;
    double rate =
        scenario.eventsPerSecond() > 0
            ? scenario.producers() * (double) scenario.eventsPerSecond()
            : 2.1e9 / median(peer) * noise;
    double calls = scenario.load() == Load.NONE ? 0 : rate * seconds;
    double offered = Math.rint(calls * 1.6);
    double lost = loses(scenario, peer) ? Math.rint(offered * 0.34) : 0;
    boolean counts = scenario == Scenario.OVERLOAD && peer.isForebay();
    figures.put(Figure.OFFERED, offered);
    figures.put(Figure.DROPPED, counts ? Math.rint(offered * 0.05) : 0);
    figures.put(Figure.LINES, offered - lost - figures.get(Figure.DROPPED));
    figures.put(Figure.CALLS, calls);
    figures.put(Figure.ELAPSED_NS, seconds * NS_PER_S);
    figures.put(Figure.CALLING_NS, 0.9 * seconds * NS_PER_S);
    figures.put(Figure.CALLER_CPU_NS, calls * median(peer) * 0.8 * noise);
    figures.put(Figure.OTHER_CPU_NS, 3e7 * noise + calls * 240);
    figures.put(Figure.JVM_CPU_NS, 2e7 * noise);
    figures.put(Figure.VOLUNTARY_SWITCHES, seconds * (1100 + median(peer) * 0.9 * noise));
    figures.put(Figure.CALLER_ALLOCATED_BYTES, calls * (peer == Peer.NONE ? 160 : 368));
    figures.put(Figure.OTHER_ALLOCATED_BYTES, peer.isForebay() ? 0 : calls * 610);
    figures.put(Figure.GC_COUNT, (double) random.nextInt(12));
    figures.put(Figure.GC_NS, 2.3e6 * noise);
    figures.put(Figure.START_NS, 2.4e8 * noise);
    figures.put(Figure.STOP_NS, 1.1e7 * noise);
    if (scenario.load() == Load.TRACED) {
      figures.put(Figure.TRACE_CALLS, Load.TRACES * calls);
      figures.put(Figure.TRACE_P50_NS, median(peer) * noise);
      figures.put(Figure.TRACE_P99_NS, median(peer) * 4 * noise);
      figures.put(Figure.TRACE_P999_NS, median(peer) * 40 * noise);
      figures.put(Figure.DISK_BYTES, calls * (peer == Peer.FILE ? 640 : 110));
    }
    if (scenario.fault() == Fault.LONG_FREEZE) {
      figures.put(Figure.HELD_HEAP_BYTES, peer.isForebay() ? 4e6 : 1.2e8 * noise);
      figures.put(Figure.HELD_SPOOL_BYTES, peer == Peer.FOREBAY ? 7.3e7 * noise : 0);
    }
    if ("logback".equals(peer.libraries()) && peer != Peer.NONE) {
      figures.put(Figure.RESIDENCE_P50_NS, peer.isForebay() ? 5.1e6 : 4e4);
      figures.put(Figure.RESIDENCE_P99_NS, (peer.isForebay() ? 1.04e7 : 4e5) * noise);
    }
    return figures;
  }
}
