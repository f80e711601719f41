package dev.forebay.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log that others rotate, as logrotate does, while two threads log to it. */
class RotatedByOthersIT {

  private static final int ROTATIONS = 8;

  private Places places;

  @BeforeEach
  void create() throws Exception {
    places = Places.create();
  }

  @AfterEach
  void delete() throws Exception {
    places.close();
  }

  private Tiered start() throws Exception {
    return Tiered.with(places.xml(), "<fsync>100 milliseconds</fsync>", Xml.MESSAGES);
  }

  /** Where the n-th rotation puts the log; the names sort in order. */
  private Path archive(int rotation) {
    return places.log().resolveSibling("app.log." + rotation);
  }

  private void awaitLines() throws Exception {
    Await.until("lines", () -> Files.exists(places.log()) && Files.size(places.log()) > 20_000);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void movedAwayNoLineIsLostOrDoubled(boolean create) throws Exception {
    try (Tiered tiered = start();
        Load load = Load.on(tiered)) {
      for (int i = 0; i < ROTATIONS; i++) {
        awaitLines();
        Files.move(places.log(), archive(i));
        if (create) {
          Files.createFile(places.log());
        }
        load.requireGoingOn();
      }
      tiered.calls().record("log moved away by others, new one made: " + create);
      load.stop();
      tiered.flush();
      assertThat(tiered.errors()).isEmpty();
      load.oracle().complete(0).requireSound(places.lines());
    }
  }

  @Test
  void movedToAnotherDirectoryNoLineIsLost() throws Exception {
    Path elsewhere = places.directory("elsewhere");
    try (Tiered tiered = start();
        Load load = Load.on(tiered)) {
      for (int i = 0; i < ROTATIONS; i++) {
        awaitLines();
        Files.move(places.log(), elsewhere.resolve("app." + i));
        load.requireGoingOn();
      }
      load.stop();
      tiered.flush();
      List<String> lines = new ArrayList<>(LogFiles.of(elsewhere.resolve("none")).lines());
      lines.addAll(places.lines());
      System.out.println(load.oracle().complete(0).judge(lines));
      System.out.println(tiered.warnings());
    }
  }

  /**
   * What is logged between the copy and the truncation is lost by the rotation itself; the lines
   * around it must be whole.
   */
  @Test
  void copiedAndTruncatedTheLogHasNoHoleAndNoTornLine() throws Exception {
    try (Tiered tiered = start();
        Load load = Load.on(tiered)) {
      for (int i = 0; i < ROTATIONS * 20; i++) {
        Shell.must("sh", "-c", "cd " + places.logDirectory() + "; cp app.log app.log." + i + "; truncate -s 0 app.log");
      }
      load.requireGoingOn();
      tiered.calls().record("log copied and truncated by others");
      load.stop();
      tiered.flush();
      assertThat(tiered.errors()).isEmpty();
      System.out.println(tiered.warnings().size());
      System.out.println(load.oracle().dropped(Long.MAX_VALUE).judge(places.lines()));
    }
  }
}
