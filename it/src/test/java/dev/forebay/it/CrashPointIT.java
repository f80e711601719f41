package dev.forebay.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process that dies at chosen system calls of a short life with two rollovers, and the start
 * after it. {@code -Dforebay.crash.points=1000} takes all points instead of a sample.
 */
@Tag("soak")
class CrashPointIT {

  private static final int POINTS = Integer.getInteger("forebay.crash.points", 25);
  private static final int MESSAGES = 120;
  private static final Child.Task TASK =
      new Child.Task("child", 1, MESSAGES, MESSAGES / 3, 0, "stop");

  /** Every file and every start gets a header line, so that a death can hit that too. */
  private static final String HEADED =
      "<encoder><outputPatternAsHeader>true</outputPatternAsHeader><pattern>%msg%n</pattern></encoder>";

  private static final String HEADER = "#logback.classic pattern: %msg%n";

  private static String xml(Places places) {
    return places.xml()
        + "<fsync>50 milliseconds</fsync><segmentSize>64KB</segmentSize>"
        + Xml.rollBySize(places.logDirectory(), "8KB")
        + HEADED;
  }

  @Test
  void nothingSpooledIsMissingDoubledOrTornWhereverTheProcessDies() throws Exception {
    assumeTrue(Strace.works(), "strace is missing or may not trace (ptrace)");
    List<String> faults = new ArrayList<>();
    try (Places places = Places.create()) {
      List<Strace.Point> all = recordedPoints(places);
      List<Strace.Point> points = Strace.sample(all, POINTS);
      assertThat(points.stream().map(Strace.Point::call).distinct())
          .contains("pwrite64", "fdatasync", "fsync", "rename", "unlink", "mkdir", "openat");
      int died = 0;
      for (int i = 0; i < points.size(); i++) {
        empty(places.logDirectory());
        empty(places.spool());
        Strace.Point point = points.get(i);
        try (Child child =
            Child.start(
                TASK,
                Xml.configuration(xml(places)),
                places.directory("point" + i),
                Strace.killing(point))) {
          died += child.awaitEnd() == 0 ? 0 : 1;
          check(places, child);
        } catch (AssertionError e) {
          faults.add("killed before " + point + ": " + e.getMessage());
        }
      }
      assertThat(faults).as("of " + points.size() + " points").isEmpty();
      // Threads share their work differently in every run, so a point may not be reached.
      assertThat(died).as("processes that were killed").isGreaterThan(points.size() * 3 / 4);
    }
  }

  private static List<Strace.Point> recordedPoints(Places places) throws Exception {
    Path reports = places.directory("recorded");
    Path trace = reports.resolve("trace");
    try (Child child =
        Child.start(TASK, Xml.configuration(xml(places)), reports, Strace.recording(trace))) {
      assertThat(child.awaitEnd()).as(child.output()).isZero();
    }
    assertThat(LogFiles.of(places.log()).paths()).as("two rollovers").hasSizeGreaterThan(2);
    List<Path> stable = new ArrayList<>(List.of(places.log(), places.logDirectory()));
    try (Stream<Path> spool = Files.walk(places.spool(), 2)) {
      spool
          .filter(Files::isDirectory)
          .forEach(
              directory -> {
                stable.add(directory.resolve("checkpoint"));
                stable.add(directory.resolve("ship.lock"));
              });
    }
    return Strace.points(trace, List.of(places.logDirectory(), places.spool()), stable);
  }

  private static void check(Places places, Child child) throws Exception {
    Oracle oracle = new Oracle().alsoAllowed(HEADER);
    child.tell(oracle);
    oracle.seen(SpoolPeek.lines(places.spool(), places.log()));
    if (Files.exists(places.log())) {
      oracle.seen(places.lines());
    }
    List<String> warnings;
    try (Tiered next = Tiered.with(xml(places))) {
      next.log("next", 0, 5).flush();
      warnings = next.warnings();
    }
    oracle.producer("next", 5, 5).requireSound(places.lines());
    if (!warnings.isEmpty()) {
      throw new AssertionError("warnings: " + warnings);
    }
    if (!SpoolPeek.spools(places.spool()).isEmpty()) {
      throw new AssertionError("left: " + SpoolPeek.spools(places.spool()));
    }
  }

  private static void empty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      for (Path entry : entries.toList()) {
        Places.deleteTree(entry);
      }
    }
  }
}
