package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.file.ArchiveFuzz;
import dev.forebay.tiered.file.CheckpointFuzz;
import dev.forebay.tiered.file.FileEndFuzz;
import dev.forebay.tiered.file.TailComparisonFuzz;
import dev.forebay.tiered.flight.LoopFuzz;
import dev.forebay.tiered.jvm.JvmFilesFuzz;
import dev.forebay.tiered.spool.SegmentFuzz;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the fuzz targets once with every input that reached new code when they were fuzzed. */
@Tag("once")
class FuzzCorpusTest {
  /** A fuzz target. */
  private interface Target {
    void run(byte[] input) throws IOException;
  }

  @Test
  void segmentsAreReadAsThePlainScannerReadsThem() throws Exception {
    runAll("SegmentFuzz", SegmentFuzz::fuzzerTestOneInput);
  }

  @Test
  void aDumpHasWhatThePlainScannerFindsInTheLoop() throws Exception {
    runAll("LoopFuzz", LoopFuzz::fuzzerTestOneInput);
    runAll("SegmentFuzz", LoopFuzz::fuzzerTestOneInput);
  }

  @Test
  void whatADeadJvmLeftIsTakenOverWhateverItsFilesSay() throws Exception {
    runAll("JvmFilesFuzz", JvmFilesFuzz::fuzzerTestOneInput);
  }

  @Test
  void aCheckpointOfAnyContentCanBeLoadedAndReplaced() throws Exception {
    runAll("CheckpointFuzz", CheckpointFuzz::fuzzerTestOneInput);
  }

  @Test
  void aLogIsTheBeginningOfTheRecordsExactlyWhereItsBytesAre() throws Exception {
    runAll("TailComparisonFuzz", TailComparisonFuzz::fuzzerTestOneInput);
  }

  @Test
  void aRecordFollowsWholeLinesWhateverIsAtTheEndOfTheLog() throws Exception {
    runAll("FileEndFuzz", FileEndFuzz::fuzzerTestOneInput);
  }

  @Test
  void anArchiveIsThatOfAnOriginalExactlyIfItUnpacksToIt() throws Exception {
    runAll("ArchiveFuzz", ArchiveFuzz::fuzzerTestOneInput);
  }

  private static void runAll(String name, Target target) throws IOException, URISyntaxException {
    Path corpus = Path.of(FuzzCorpusTest.class.getResource("/fuzz/" + name).toURI());
    List<Path> inputs;
    try (Stream<Path> all = Files.list(corpus)) {
      inputs = all.sorted().toList();
    }
    assertThat(inputs).hasSizeGreaterThan(5);
    for (Path input : inputs) {
      try {
        target.run(Files.readAllBytes(input));
      } catch (RuntimeException | IOException e) {
        throw new AssertionError("input " + input.getFileName(), e);
      }
    }
  }
}
