package dev.forebay.it.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Cleanup;
import dev.forebay.host.LoopDisk;
import dev.forebay.it.support.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/**
 * What Gatling's users notice of a log disk that is well, freezes, or has noisy neighbours, with
 * Forebay and with two others. Of Forebay it is asserted, of the others it is told.
 *
 * <p>A part of it: {@code -Dforebay.gatling.apps=boot}, {@code conditions=frozen,neighbour}, {@code
 * appenders=forebay}, {@code repetitions=1}, {@code users=8}, {@code requests=100}.
 */
@Tag("gatling-only")
class GatlingComparisonIT {

  private static final Path REPORT = Path.of("target", "gatling-comparison.md");
  private static final Duration PROBE = Duration.ofSeconds(3);

  private final List<GatlingApp> apps =
      wanted("apps", GatlingApp.class, List.of(GatlingApp.values()));
  private final List<GatlingCondition> conditions =
      wanted("conditions", GatlingCondition.class, List.of(GatlingCondition.values()));
  private final List<GatlingAppender> appenders =
      wanted(
          "appenders",
          GatlingAppender.class,
          List.of(GatlingAppender.FOREBAY, GatlingAppender.ASYNC, GatlingAppender.DISRUPTOR));
  private final int repetitions = number("repetitions", 3);
  private final GatlingLoad load = new GatlingLoad(number("users", 20), number("requests", 500));
  private final List<GatlingResult> results = new ArrayList<>();
  private final List<String> about = new ArrayList<>();

  private static <E extends Enum<E>> List<E> wanted(
      String property, Class<E> type, List<E> otherwise) {
    String names = System.getProperty(GatlingMachine.PROPERTIES + property);
    return names == null
        ? otherwise
        : Stream.of(names.split(",", -1))
            .map(name -> Enum.valueOf(type, name.toUpperCase(Locale.ROOT)))
            .toList();
  }

  private static int number(String property, int otherwise) {
    return Integer.getInteger(GatlingMachine.PROPERTIES + property, otherwise);
  }

  @Test
  void aSickLogDiskHarmsNoUserAndNoEventIsLost() throws Exception {
    describe();
    List<GatlingRun> runs = new ArrayList<>();
    for (GatlingApp app : apps) {
      for (GatlingCondition condition : conditions) {
        appenders.forEach(appender -> runs.add(new GatlingRun(app, appender, condition)));
      }
    }
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (GatlingRun run : interleaved(repetition)) {
        add(run, repetition, runs);
      }
    }
    requirePromises(runs);
  }

  /** So that what changes in the machine while it takes changes it for all. */
  private List<GatlingRun> interleaved(int repetition) {
    List<GatlingRun> runs = new ArrayList<>();
    int turn = repetition;
    for (GatlingCondition condition : conditions) {
      for (GatlingApp app : apps) {
        for (int i = 0; i < appenders.size(); i++) {
          GatlingAppender appender = appenders.get((turn + i) % appenders.size());
          runs.add(new GatlingRun(app, appender, condition));
        }
        turn++;
      }
    }
    return runs;
  }

  private void add(GatlingRun run, int repetition, List<GatlingRun> order) throws Exception {
    GatlingResult result;
    long startNs = System.nanoTime();
    try {
      result = new GatlingResult(run, repetition, run.run(load, GatlingLogging.USUAL_CAPACITY), "");
    } catch (TestAbortedException e) {
      throw e;
    } catch (Exception | AssertionError e) {
      result = new GatlingResult(run, repetition, null, e.toString());
    }
    results.add(result);
    write(order);
    System.out.printf(
        Locale.ROOT,
        "%d of %d, %.0f s: %s%n",
        results.size(),
        order.size() * repetitions,
        (System.nanoTime() - startNs) / 1e9,
        result.line());
  }

  private void describe() throws Exception {
    about.addAll(GatlingMachine.description());
    about.add(
        "- load: a user a second for %d s, each %d GET requests back to back; window from second"
                .formatted(load.users(), load.requests())
            + String.format(
                Locale.ROOT,
                " %.1f on, for %.1f s",
                load.warmUp().toMillis() / 1e3,
                load.window().toMillis() / 1e3));
    try (Cleanup owned = Cleanup.open()) {
      Places places = owned.own(Places::create);
      LoopDisk disk = owned.own(() -> GatlingDisk.create(places));
      about.add("- disk of the log: " + GatlingDisk.description());
      if (conditions.contains(GatlingCondition.NEIGHBOUR)) {
        probe(places, disk);
      }
    }
    about.forEach(System.out::println);
  }

  /** Shows that the neighbours do stall who writes a log. */
  private void probe(Places places, LoopDisk disk) throws Exception {
    Path file = disk.root().resolve("probe");
    about.add("- 12 MB/s appended to it: " + GatlingProbe.write(file, PROBE));
    GatlingNeighbour.prepare(places);
    GatlingNeighbour neighbour = GatlingNeighbour.start(places, disk.root());
    try {
      about.add("- the same beside the neighbours: " + GatlingProbe.write(file, PROBE));
    } finally {
      neighbour.end();
    }
  }

  private void write(List<GatlingRun> order) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("# Gatling, and a log disk that gets sick");
    lines.add("");
    lines.addAll(about);
    lines.add("");
    lines.add(
        "Repetitions: %d; their medians, and where they differ (least–greatest)."
            .formatted(repetitions));
    lines.add("");
    List<GatlingResult> ordered =
        order.stream()
            .flatMap(run -> results.stream().filter(result -> result.run().equals(run)))
            .toList();
    lines.addAll(GatlingTable.of(ordered));
    lines.add("");
    lines.add("Each run, in this order:");
    lines.add("");
    results.forEach(result -> lines.add("- " + result.line()));
    Files.createDirectories(REPORT.resolveSibling(""));
    Files.write(REPORT, lines);
  }

  private void requirePromises(List<GatlingRun> runs) {
    assertThat(results).as("runs").hasSize(runs.size() * repetitions);
    SoftAssertions promises = new SoftAssertions();
    for (GatlingResult result : results) {
      if (result.run().appender() == GatlingAppender.FOREBAY) {
        String run = result.run() + ", repetition " + result.repetition();
        promises.assertThat(result.problem()).as(run).isEmpty();
        if (result.outcome() != null) {
          promises.assertThat(result.outcome().faults(load)).as(run).isEmpty();
        }
      }
    }
    if (appenders.contains(GatlingAppender.FOREBAY)
        && conditions.contains(GatlingCondition.HEALTHY)
        && conditions.contains(GatlingCondition.FROZEN)) {
      for (GatlingApp app : apps) {
        promises
            .assertThat(p999Ms(app, GatlingCondition.FROZEN))
            .as("p99.9 of the window, %s with Forebay, disk frozen", app)
            .isLessThanOrEqualTo(2 * p999Ms(app, GatlingCondition.HEALTHY));
      }
    }
    promises.assertAll();
  }

  private double p999Ms(GatlingApp app, GatlingCondition condition) {
    GatlingRun run = new GatlingRun(app, GatlingAppender.FOREBAY, condition);
    return GatlingTable.median(results, run, outcome -> outcome.inWindow().p999Ms());
  }
}
