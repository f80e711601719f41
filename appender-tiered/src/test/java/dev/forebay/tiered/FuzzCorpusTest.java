package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.file.ArchiveFuzz;
import dev.forebay.tiered.file.CheckpointFuzz;
import dev.forebay.tiered.file.TailComparisonFuzz;
import dev.forebay.tiered.flight.LoopFuzz;
import dev.forebay.tiered.jvm.JvmFilesFuzz;
import dev.forebay.tiered.spool.SegmentFuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the fuzz targets once with every input that reached new code when they were fuzzed. */
@Tag("once")
class FuzzCorpusTest {
  /** A fuzz target. */
  private interface Target {
    void run(byte[] input) throws IOException;
  }

  private static Arguments target(String corpus, Target target) {
    return Arguments.of(corpus, target);
  }

  private static List<Arguments> targets() {
    return List.of(
        target("SegmentFuzz", SegmentFuzz::fuzzerTestOneInput),
        target("SegmentFuzz", LoopFuzz::fuzzerTestOneInput),
        target("LoopFuzz", LoopFuzz::fuzzerTestOneInput),
        target("JvmFilesFuzz", JvmFilesFuzz::fuzzerTestOneInput),
        target("CheckpointFuzz", CheckpointFuzz::fuzzerTestOneInput),
        target("TailComparisonFuzz", TailComparisonFuzz::fuzzerTestOneInput),
        target("ArchiveFuzz", ArchiveFuzz::fuzzerTestOneInput));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void eachTargetTakesEachInputOfItsCorpus(String name, Target target) throws Exception {
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
