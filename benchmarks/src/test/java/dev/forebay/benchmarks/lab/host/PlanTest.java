package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
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
  void whatCannotDifferIsNotMeasuredTwice() {
    Plan plan = plan("", "-r", "1", "idle", "throughput-2", "file", "log4j2-disruptor4", "tinylog");

    assertThat(plan.runs().stream().map(Object::toString))
        .containsExactly(
            "idle tinylog 1",
            "throughput-2 file 1",
            "throughput-2 log4j2-disruptor4 1",
            "throughput-2 tinylog 1");
    assertThat(plan.skipped())
        .containsExactly(
            "idle file: it has no thread of its own.",
            "idle log4j2-disruptor4: it differs from log4j2 only when its ring is full.");
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
}
