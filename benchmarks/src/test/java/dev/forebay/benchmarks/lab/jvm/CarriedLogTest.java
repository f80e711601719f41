package dev.forebay.benchmarks.lab.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class CarriedLogTest {

  private static final long ORIGIN_NS = 100;
  private static final String GAP = "[forebay] 14 bytes of the JVM's log are missing here: full";

  @TempDir private Path directory;

  private CarriedLog compared(List<String> log, String... truth) throws IOException {
    return CarriedLog.compare(
        Files.write(directory.resolve("log"), log),
        Files.write(directory.resolve("truth"), List.of(truth)),
        ORIGIN_NS);
  }

  @Test
  void linesMayHaveOvertakenEachOther() throws IOException {
    assertThat(compared(List.of("[101ns] b", "[100ns] a", ""), "[100ns] a", "", "[101ns] b"))
        .isEqualTo(new CarriedLog(0, 0, List.of()));
  }

  @Test
  void whatCameBeforeTheMeasuredTimeMayBeMissing() throws IOException {
    assertThat(compared(List.of("[98ns] b", "[100ns] c"), "[97ns] a", "[98ns] b", "[100ns] c"))
        .isEqualTo(new CarriedLog(0, 0, List.of()));
  }

  @Test
  void bytesOfMissingLinesCountWithTheirLineEndsAndGapsByWhatTheySay() throws IOException {
    assertThat(compared(List.of("[100ns] a", GAP), "[100ns] a", "[101ns] four", "", "[102ns] a"))
        .isEqualTo(new CarriedLog(13 + 1 + 10, 14, List.of()));
  }

  @Test
  void aLineThatIsThereTwiceOrThatNobodyWroteIsForeign() throws IOException {
    assertThat(compared(List.of("[100ns] a", "[100ns] a", "[100ns] b"), "[100ns] a").foreign())
        .containsExactly("[100ns] a", "[100ns] b");
  }
}
