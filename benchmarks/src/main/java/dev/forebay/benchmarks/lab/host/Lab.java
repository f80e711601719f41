package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.benchmarks.lab.report.Report;
import dev.forebay.host.BrokenOffException;
import dev.forebay.host.Cleanup;
import dev.forebay.host.LoopDisk;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The whole lab: from a command line to a results directory and its page. */
public final class Lab {

  /** Writes the page about a results directory, and says where it is. */
  interface Page {
    List<String> write(Path results) throws IOException;
  }

  /** What it depends on: who measures, and who tells of it. */
  record Parts(Launcher launcher, Page page, PrintStream out) {}

  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int USAGE = 2;
  private static final Duration LIMIT_BEYOND_PLAN = Duration.ofSeconds(60);
  static final Path SHARED_MEMORY = Path.of("/dev/shm");
  static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmmss", Locale.ROOT);

  private final List<String> arguments;
  private final Parts parts;
  private final Clock clock;

  Lab(List<String> arguments, Parts parts, Clock clock) {
    this.arguments = arguments;
    this.parts = parts;
    this.clock = clock;
  }

  /** Runs what a command line asks for; returns the exit code. */
  public static int run(List<String> arguments) throws IOException, InterruptedException {
    if (!arguments.isEmpty() && arguments.get(0).equals(JvmLab.WORD)) {
      return new JvmLab(arguments.subList(1, arguments.size()), System.out).run();
    }
    if (!arguments.isEmpty() && arguments.get(0).equals(PipeLab.WORD)) {
      return new PipeLab(arguments.subList(1, arguments.size()), System.out).run();
    }
    if (!arguments.isEmpty() && arguments.get(0).equals(KafkaLab.WORD)) {
      return new KafkaLab(arguments.subList(1, arguments.size()), System.out).run();
    }
    if (!arguments.isEmpty() && arguments.get(0).equals(OtlpLab.WORD)) {
      return new OtlpLab(arguments.subList(1, arguments.size()), System.out).run();
    }
    Parts parts = new Parts(new PeerLauncher(), Report::write, System.out);
    return new Lab(arguments, parts, Clock.system(ZoneId.systemDefault())).run();
  }

  int run() throws IOException, InterruptedException {
    CommandLine asked;
    try {
      asked =
          CommandLine.parse(
              arguments, Path.of("target", "lab", LocalDateTime.now(clock).format(NAME)));
    } catch (IllegalArgumentException e) {
      parts.out().println(e.getMessage());
      return USAGE;
    }
    if (asked.onlyLists()) {
      parts.out().print(CommandLine.list());
      return OK;
    }
    Plan plan = Plan.of(asked, LoopDisk.obstacle());
    plan.skipped().forEach(sentence -> parts.out().println("Not run: " + sentence));
    if (plan.runs().stream().anyMatch(Lab::hasNeighbour)) {
      parts.out().println("The neighbour writes " + NeighbourFault.description() + ".");
    }
    if (plan.runs().isEmpty()) {
      parts.out().println("There is nothing to run.");
      return USAGE;
    }
    Files.createDirectories(asked.results());
    Files.createDirectories(asked.logs());
    Cleanup cleanup = Cleanup.open();
    try {
      Path libraries = cleanup.own(() -> WorkDirectory.in(asked.results())).path();
      boolean isGood = measure(asked, plan, libraries);
      parts.page().write(asked.results()).forEach(parts.out()::println);
      return isGood ? OK : FAILED;
    } catch (BrokenOffException e) {
      parts.out().println(e.getMessage());
      return FAILED;
    } finally {
      cleanup.closeAndReport();
    }
  }

  /** Makes all runs; false if one shows a defect of ours. */
  private boolean measure(CommandLine asked, Plan plan, Path libraries)
      throws IOException, InterruptedException {
    Path spools = spools(asked.logs());
    Logbook logbook = new Logbook(asked.results(), clock, versions(asked, libraries));
    logbook.begin(
        new Logbook.Task(
            arguments,
            asked.repetitions(),
            plan.runs().size(),
            plan.skipped(),
            JavaCommand.OPTIONS,
            asked.logs(),
            spools));
    Bench bench =
        new Bench(
            parts.launcher(), libraries, asked.results(), asked.logs(), spools, LIMIT_BEYOND_PLAN);
    Progress progress = new Progress(plan.runs(), parts.out(), Progress.writesToTerminal());
    progress.begin();
    boolean isGood = true;
    for (PlannedRun run : plan.runs()) {
      long begin = System.nanoTime();
      progress.running(run, Duration.ZERO);
      Measurement measurement = bench.make(run, () -> progress.running(run, since(begin)));
      progress.ended(run, since(begin), measurement);
      isGood &= !Verdict.isDefect(measurement);
    }
    logbook.end(plan.runs().size());
    return isGood;
  }

  /** A spool is memory: that of a lab that was killed must not stay. */
  private Path spools(Path logs) throws IOException {
    if (Files.isWritable(SHARED_MEMORY)) {
      WorkDirectory.removeLeftovers(SHARED_MEMORY);
      return SHARED_MEMORY;
    }
    parts.out().println(SHARED_MEMORY + " cannot be written: spools are in " + logs + ".");
    return logs;
  }

  private Map<String, String> versions(CommandLine asked, Path libraries) throws IOException {
    Map<String, String> versions = new TreeMap<>();
    for (Peer peer : asked.peers()) {
      List<Path> jars = parts.launcher().libraries(peer, libraries);
      versions.put(peer.libraries(), jars.isEmpty() ? Versions.own() : Versions.of(jars));
    }
    return versions;
  }

  private static boolean hasNeighbour(PlannedRun run) {
    return run.scenario().fault() == Scenario.Fault.NOISY_NEIGHBOUR;
  }

  private static Duration since(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }
}
