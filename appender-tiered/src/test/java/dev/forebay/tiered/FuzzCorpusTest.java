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
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the fuzz targets once with every input that reached new code when they were fuzzed, and with
 * some that differ from it in a few bytes.
 */
@Tag("once")
class FuzzCorpusTest {

  private static final int VARIANTS = 30;

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
      byte[] bytes = Files.readAllBytes(input);
      Random random = new Random(Arrays.hashCode(bytes));
      for (int variant = 0; variant < VARIANTS; variant++) {
        try {
          target.run(bytes.clone());
        } catch (RuntimeException | IOException e) {
          throw new AssertionError("input %s, %d".formatted(input.getFileName(), variant), e);
        }
        change(bytes, random);
      }
    }
  }

  /** Of the first bytes one more often: they say what the rest means. */
  private static void change(byte[] bytes, Random random) {
    bytes[random.nextInt(Math.min(bytes.length, 4))] = (byte) random.nextInt();
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
  }
}
