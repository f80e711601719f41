package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.benchmarks.lab.jvm.JvmRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class JvmPlanTest {

  private static List<String> runs(String... words) {
    return JvmPlan.parse(List.of(words), Set.of(17, 21, 25), Path.of("results")).runs().stream()
        .map(JvmRun::toString)
        .toList();
  }

  @Test
  void waysAreInnermostAndTakeTurnsInBeingTheFirst() {
    assertThat(runs("-r", "2", "allocation", "17", "g1", "frozen", "sync", "async"))
        .containsExactly(
            "allocation jdk17 g1 frozen sync 1",
            "allocation jdk17 g1 frozen async 1",
            "allocation jdk17 g1 frozen async 2",
            "allocation jdk17 g1 frozen sync 2");
  }

  @Test
  void aWordThatIsNothingIsRefusedWithAllThatAre() {
    assertThatThrownBy(() -> runs("frozen", "shenandoah"))
        .hasMessageStartingWith(
            "shenandoah is none of hello-world, allocation, linkedin, storm, idle, exit, 17, 25, g1")
        .hasMessageEndingWith(JvmPlan.USAGE);
  }
}
