package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.jvm.JvmRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PlanTest {

  @Test
  void repetitionsAreOutermostAndPeersInnermost() {
    Plan plan = plan("", "-r", "2", "steady", "frozen-disk", "forebay", "file");

    assertThat(plan.runs().stream().map(PlannedRun::toString))
        .containsExactly(
            "steady forebay 1",
            "steady file 1",
            "frozen-disk forebay 1",
            "frozen-disk file 1",
            "steady forebay 2",
            "steady file 2",
            "frozen-disk forebay 2",
            "frozen-disk file 2");
    assertThat(plan.skipped()).isEmpty();
  }

  @Test
  void whatMakesNoSenseIsLeftOutAndSaidOnce() {
    Plan plan = plan("", "steady", "full-disk", "throughput-2", "none", "async-never-block");

    assertThat(plan.runs().stream().filter(run -> run.repetition() == 1).map(Object::toString))
        .containsExactly(
            "steady none 1",
            "steady async-never-block 1",
            "full-disk async-never-block 1",
            "throughput-2 none 1");
    assertThat(plan.skipped())
        .containsExactly(
            "full-disk none: it writes to no disk.",
            "throughput-2 async-never-block: it cannot be set to lose nothing.");
  }

  @Test
  void withoutRootTheDiskStaysWell() {
    Plan plan =
        plan("not running as root", "-r", "1", "steady", "full-disk", "frozen-disk", "file");

    assertThat(plan.runs().stream().map(Object::toString)).containsExactly("steady file 1");
    assertThat(plan.skipped())
        .containsExactly(
            "frozen-disk, full-disk: no disk can be made sick here: not running as root.");
  }

  private static Plan plan(String obstacle, String... words) {
    return Plan.of(CommandLine.parse(List.of(words), Path.of("results")), obstacle);
  }

  @Test
  void waysToKeepTheJvmsLogAreInnermostAndTakeTurnsInBeingTheFirst() {
    List<String> words = List.of("-r", "2", "allocation", "17", "g1", "frozen", "sync", "async");
    assertThat(JvmPlan.parse(words, Set.of(17, 21, 25), Path.of("results")).runs())
        .extracting(JvmRun::toString)
        .containsExactly(
            "allocation jdk17 g1 frozen sync 1",
            "allocation jdk17 g1 frozen async 1",
            "allocation jdk17 g1 frozen async 2",
            "allocation jdk17 g1 frozen sync 2");
  }
}
