package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.jvm.JvmFigure;
import dev.forebay.benchmarks.lab.jvm.JvmMeasurement;
import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogWay;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** {@code lab jvm}: the JVM's own log, from a command line to a results directory and its page. */
final class JvmLab {

  /** The first argument of the lab. */
  static final String WORD = "jvm";

  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private final List<String> arguments;
  private final PrintStream out;
  private final Clock clock = Clock.system(ZoneId.systemDefault());

  JvmLab(List<String> arguments, PrintStream out) {
    this.arguments = arguments;
    this.out = out;
  }

  /** Runs what the arguments ask for; returns the exit code. */
  int run() throws IOException, InterruptedException {
    if (!Files.isWritable(Lab.SHARED_MEMORY)) {
      out.println(Lab.SHARED_MEMORY + " cannot be written: what is in memory has to be there.");
      return USAGE;
    }
    Map<Integer, Path> jdks = Jdks.found();
    JvmPlan plan;
    try {
      String name = "jvm-" + LocalDateTime.now(clock).format(Lab.NAME);
      plan = JvmPlan.parse(arguments, jdks.keySet(), Path.of("target", "lab", name));
    } catch (IllegalArgumentException e) {
      out.println(e.getMessage());
      return USAGE;
    }
    List<String> skipped = new ArrayList<>();
    List<JvmRun> runs = possible(plan.runs(), skipped);
    skipped.forEach(sentence -> out.println("Not run: " + sentence));
    if (runs.isEmpty()) {
      out.println("There is nothing to run.");
      return USAGE;
    }
    Files.createDirectories(plan.results());
    try {
      measure(plan, runs, jdks, skipped);
      Report.write(plan.results()).forEach(out::println);
      return OK;
    } catch (BrokenOffException e) {
      out.println(e.getMessage());
      return FAILED;
    }
  }

  /** Those that can be made here; adds a sentence for what cannot. */
  private static List<JvmRun> possible(List<JvmRun> runs, List<String> skipped) {
    String obstacle = LoopDisk.obstacle();
    Predicate<JvmRun> hasDisk = run -> run.fault() == Fault.NONE || obstacle.isEmpty();
    Predicate<JvmRun> hasAgent = run -> !run.way().isOurs() || AgentJar.isThere();
    if (!runs.stream().allMatch(hasDisk)) {
      skipped.add("frozen and throttled disks: none can be made here: " + obstacle + ".");
    }
    if (!runs.stream().allMatch(hasAgent)) {
      skipped.add(LogWay.FOREBAY.label() + ": its jar is only in benchmarks.jar.");
    }
    return runs.stream().filter(hasDisk.and(hasAgent)).toList();
  }

  private void measure(
      JvmPlan plan, List<JvmRun> runs, Map<Integer, Path> jdks, List<String> skipped)
      throws IOException, InterruptedException {
    WorkDirectory.removeLeftovers(Lab.SHARED_MEMORY);
    Map<String, String> versions = new TreeMap<>();
    runs.stream()
        .map(JvmRun::jdk)
        .distinct()
        .forEach(jdk -> versions.put("JDK " + jdk, String.valueOf(jdks.get(jdk))));
    Logbook logbook = new Logbook(plan.results(), clock, versions);
    List<String> words = new ArrayList<>(List.of(WORD));
    words.addAll(arguments);
    logbook.begin(
        new Logbook.Task(
            words,
            plan.repetitions(),
            runs.size(),
            skipped,
            List.of("by experiment"),
            plan.logs(),
            Lab.SHARED_MEMORY));
    Cleanup cleanup = Cleanup.open();
    try {
      Path libraries = cleanup.own(() -> WorkDirectory.in(plan.results())).path();
      if (AgentJar.isThere()) {
        AgentJar.extract(libraries);
      }
      JvmBench bench =
          new JvmBench(
              new JvmCommand(jdks),
              AgentJar.in(libraries),
              plan.results(),
              plan.logs(),
              Lab.SHARED_MEMORY);
      make(runs, bench);
    } finally {
      cleanup.closeAndReport();
    }
    logbook.end(runs.size());
  }

  private void make(List<JvmRun> runs, JvmBench bench) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    int done = 0;
    for (JvmRun run : runs) {
      JvmMeasurement measurement = bench.make(run);
      done++;
      Duration each = Duration.ofNanos((System.nanoTime() - begin) / done);
      out.printf(
          "[%d/%d, %s left] %s: %s%n",
          done,
          runs.size(),
          Text.time(each.multipliedBy((long) runs.size() - done)),
          run,
          text(measurement));
    }
  }

  private static String text(JvmMeasurement measurement) {
    String reason = measurement.voidBecause();
    JvmFigure figure =
        switch (measurement.run().experiment()) {
          case HELLO_WORLD -> JvmFigure.WALL_NS;
          case ALLOCATION, LINKEDIN, STORM -> JvmFigure.LONGEST_NS;
          case IDLE -> JvmFigure.IDLE_CPU_NS;
          case EXIT -> JvmFigure.EXIT_NS;
        };
    String value = Text.time((long) measurement.figure(figure).orElse(0));
    return reason == null ? value : "void: " + reason;
  }
}
