package dev.forebay.it.rotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A log that others rotate, as logrotate does, or write to, while two threads log to it. */
class RotatedByOthersIT {

  private static final int ROTATIONS = 4;
  private static final int TRUNCATIONS = 20;
  @AutoClose private final Places places = Places.create();

  /** At the usual interval between two forces, so that there always are lines not yet settled. */
  private Tiered start() throws Exception {
    return Tiered.with(places.xml(), Xml.MESSAGES);
  }

  /** Where a rotation puts the log; the names sort in order. */
  private Path archive(int rotation) {
    return places.log().resolveSibling("app.log." + rotation);
  }

  private void awaitLines() throws Exception {
    Await.until("lines", () -> Files.exists(places.log()) && Files.size(places.log()) > 10_000);
  }

  private static void requireOneWarning(Tiered tiered) {
    assertThat(tiered.errors()).isEmpty();
    assertThat(tiered.warnings())
        .singleElement()
        .asString()
        .contains("was moved, removed or changed by others; reopening it");
  }

  /** How others move it: leaving no file, making one, or to another directory. */
  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true"})
  void aLogThatIsMovedAwayLosesAndDoublesNoLine(boolean create, boolean elsewhere)
      throws Exception {
    Path directory = elsewhere ? places.directory("elsewhere") : places.logDirectory();
    try (Tiered tiered = start();
        Load load = Load.on(tiered)) {
      for (int i = 0; i < ROTATIONS; i++) {
        awaitLines();
        Files.move(places.log(), directory.resolve(archive(i).getFileName()));
        if (create) {
          Files.createFile(places.log());
        }
        load.requireGoingOn();
      }
      tiered.calls().record("log moved by others, new file made by them: " + create);
      load.stop();
      tiered.flush();
      requireOneWarning(tiered);
      List<String> lines = new ArrayList<>();
      if (elsewhere) {
        lines.addAll(LogFiles.of(directory.resolve("none")).lines());
      }
      lines.addAll(places.lines());
      load.oracle().complete(0).requireSound(lines);
    }
  }

  /**
   * What is logged between the copy and the truncation is lost by this kind of rotation; it comes
   * in one piece each time, and the lines around it are whole.
   */
  @Test
  void aLogThatIsCopiedAndTruncatedHasNoHoleAndNoTornOrDoubledLine() throws Exception {
    try (Tiered tiered = start();
        Load load = Load.on(tiered)) {
      for (int i = 0; i < TRUNCATIONS; i++) {
        awaitLines();
        Command.run("cp", places.log().toString(), archive(i).toString());
        Command.run("truncate", "-s", "0", places.log().toString());
      }
      load.requireGoingOn();
      tiered.calls().record("log copied and truncated by others");
      load.stop();
      tiered.log("fresh", 0, 10).flush();
      requireOneWarning(tiered);
      assertThat(tiered.snapshot().inFlight()).isZero();
      assertThat(tiered.snapshot().dropped()).isZero();
      Oracle.Verdict verdict =
          load.oracle()
              .producer("fresh", 10, 10)
              .dropped(load.offered()) // by the rotation, and counted by nobody
              .judge(wholeLines());
      assertThat(verdict.faults()).isEmpty();
      assertThat(verdict.lines()).containsEntry("fresh", 10L);
    }
  }

  /** Without the last line of a copy, which may have been made while that was written. */
  private List<String> wholeLines() throws Exception {
    return places.lines().stream().filter(line -> !line.contains("[no line feed at")).toList();
  }

  /** Lines that were not yet settled when the log was removed are written again. */
  @Test
  void aLogThatIsRemovedTakesOnlySettledLinesWithIt() throws Exception {
    try (Tiered tiered = Tiered.with(places.xml(), "<fsync>1 hour</fsync>", Xml.MESSAGES);
        Load load = Load.on(tiered)) {
      awaitLines();
      tiered.flush();
      Set<String> lines = new LinkedHashSet<>(places.lines());
      load.requireGoingOn();
      Files.delete(places.log());
      load.requireGoingOn();
      tiered.calls().record("log removed by others");
      load.stop();
      tiered.log("fresh", 0, 10).flush();
      assertThat(tiered.errors()).isEmpty();
      Oracle oracle = load.oracle().producer("fresh", 10, 10);
      List<String> left = places.lines();
      oracle.dropped(load.offered() + 10 - left.size()).complete(0).requireSound(left);
      lines.addAll(left);
      oracle.dropped(0).requireSound(List.copyOf(lines));
    }
  }
}
