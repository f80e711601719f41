package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Command;
import dev.forebay.host.FileTree;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SeededIds;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Strace;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Kills one {@link ShortLife} at chosen points, and then its recoveries.
 *
 * <p>A killed state is never copied, because a copied log is another file, which recovery notices.
 * Whoever needs the state again has the same life killed again: ids are seeded, so that the paths
 * of its spool, by which strace knows a call, are the same.
 */
final class CrashMatrix {

  private static final String LIFE = "life";
  private static final Pattern SPOOL =
      Pattern.compile("(?:spool|tmp|done)-(([0-9a-f]{16})-[0-9a-f]{32})");
  private static final int HEX = 16;

  private final ShortLife life;
  private final Places places;
  private final List<String> faults = new ArrayList<>();

  /** Calls before which recoveries were killed. */
  private final Set<String> recoveryCalls = new TreeSet<>();

  private int kills;
  private int killsInRecovery;
  private int recoveries;

  CrashMatrix(ShortLife life, Places places) {
    this.life = life;
    this.places = places;
  }

  List<String> faults() {
    return faults;
  }

  /** Lives that were killed. */
  int kills() {
    return kills;
  }

  @Override
  public String toString() {
    return "%d lives killed, %d recoveries killed (before %s), %d recoveries completed, %d violations"
        .formatted(kills, killsInRecovery, recoveryCalls, recoveries, faults.size());
  }

  /** Lets one live to its end; all points at which it could have been killed. */
  List<Strace.Point> record() throws Exception {
    empty();
    List<Strace.Point> points = recorded(life.task(LIFE), new Oracle());
    assertThat(life.files(places).paths()).as("two rollovers").hasSizeGreaterThan(2);
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    return points;
  }

  /** Kills it, and has this process recover. */
  void kill(Strace.Point point) throws Exception {
    empty();
    Oracle oracle = new Oracle();
    try {
      kills += dies(life.task(LIFE), point, oracle) ? 1 : 0;
      recoverHere(oracle);
    } catch (AssertionError e) {
      faults.add("killed before " + point + ": " + e.getMessage());
    }
  }

  /** Kills it, and has another process recover; the points at which that could be killed. */
  List<Strace.Point> killAndRecord(Strace.Point point) throws Exception {
    empty();
    Oracle oracle = new Oracle();
    try {
      kills += dies(life.task(LIFE), point, oracle) ? 1 : 0;
      List<Strace.Point> points = recorded(ShortLife.recovery("again"), oracle);
      recoveries++;
      requireRecovered(oracle);
      return points;
    } catch (AssertionError e) {
      faults.add("killed before " + point + ", recovered in a process: " + e.getMessage());
      return List.of();
    }
  }

  /**
   * Kills it, then one recovery after the other, each at the next point, and has this process
   * recover in the end.
   *
   * @param inRecovery points of {@link #killAndRecord}, in order
   */
  void killAgain(Strace.Point point, List<Strace.Point> inRecovery) throws Exception {
    empty();
    Oracle oracle = new Oracle();
    try {
      kills += dies(life.task(LIFE), point, oracle) ? 1 : 0;
      for (int i = 0; i < inRecovery.size(); i++) {
        String name = "again" + i;
        String recordedSpool = SeededIds.firstOf("again");
        Strace.Point next = inRecovery.get(i);
        Matcher own = SPOOL.matcher(next.path());
        if (own.find() && own.group(1).endsWith(recordedSpool)) {
          next = next.renamed(own.group(1), nextCounter() + "-" + SeededIds.firstOf(name));
        }
        if (dies(ShortLife.recovery(name), next, oracle)) {
          killsInRecovery++;
          recoveryCalls.add(next.call());
        }
      }
      recoverHere(oracle);
    } catch (AssertionError e) {
      faults.add("killed before %s, then %s: %s".formatted(point, inRecovery, e.getMessage()));
    }
  }

  /** Runs a task to its death, and tells the oracle what must survive; whether it was killed. */
  private boolean dies(Child.Task task, Strace.Point point, Oracle oracle) throws Exception {
    Path reports = places.directory("reports-" + task.name());
    try (Child child = start(task, reports, Strace.killing(point))) {
      int exit = child.awaitEnd();
      child.tell(oracle);
      oracle.seen(spooled()).seen(life.lines(places));
      if (exit == 0) {
        requireSilence(child);
      }
      return exit != 0;
    }
  }

  private List<Strace.Point> recorded(Child.Task task, Oracle oracle) throws Exception {
    Path reports = places.directory("reports-" + task.name());
    Path trace = reports.resolve("trace");
    try (Child child = start(task, reports, Strace.recording(trace))) {
      if (child.awaitEnd() != 0) {
        throw new AssertionError("failed: " + child.output());
      }
      child.tell(oracle);
      requireSilence(child);
    }
    return Strace.points(trace, List.of(places.logDirectory(), places.spool()));
  }

  private Child start(Child.Task task, Path reports, String[] tracer) throws IOException {
    String[] named = SeededIds.named(task.name());
    String[] around = Stream.of(named, tracer).flatMap(Stream::of).toArray(String[]::new);
    return Child.start(task, Xml.configuration(life.xml(places)), reports, around);
  }

  private static void requireSilence(Child child) throws IOException {
    requireSilence(child.status().lines().toList());
  }

  private static void requireSilence(List<String> warnings) {
    if (!warnings.isEmpty()) {
      throw new AssertionError("warnings: " + warnings);
    }
  }

  private void recoverHere(Oracle oracle) throws Exception {
    List<String> warnings;
    try (Tiered next = Tiered.with(life.xml(places))) {
      next.log("next", 0, 5).flush();
      warnings = next.warnings();
    }
    oracle.producer("next", 5, 5);
    recoveries++;
    requireRecovered(oracle);
    requireSilence(warnings);
  }

  private void requireRecovered(Oracle oracle) throws Exception {
    oracle.alsoAllowed(ShortLife.HEADER).requireSound(life.lines(places));
    if (!SpoolPeek.spools(places.spool()).isEmpty()) {
      throw new AssertionError("left: " + SpoolPeek.spools(places.spool()));
    }
  }

  /** What the dead left in their spools. Looks into a copy, because looking takes locks. */
  private List<String> spooled() throws Exception {
    Path copy = places.root().resolve("spool-copy");
    try {
      Command.run("cp", "-a", places.spool().toString(), copy.toString());
      return SpoolPeek.lines(copy, places.log());
    } finally {
      FileTree.delete(copy);
    }
  }

  /** The counter in the name of the next spool. */
  private String nextCounter() throws IOException {
    long next = 0;
    for (Path spool : SpoolPeek.spools(places.spool())) {
      Matcher name = SPOOL.matcher(spool.getFileName().toString());
      if (name.matches()) {
        next = Math.max(next, Long.parseLong(name.group(2), HEX) + 1);
      }
    }
    return "%016x".formatted(next);
  }

  private void empty() throws IOException {
    try (Stream<Path> reports = Files.list(places.root())) {
      for (Path directory : reports.toList()) {
        if (!directory.equals(places.logDirectory())) {
          FileTree.delete(directory);
        }
      }
    }
    for (Path directory : List.of(places.logDirectory(), places.spool())) {
      try (Stream<Path> entries = Files.list(directory)) {
        for (Path entry : entries.toList()) {
          FileTree.delete(entry);
        }
      }
    }
  }
}
