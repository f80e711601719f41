package dev.forebay.benchmarks.lab.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.child.TaskReading.Task;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class TaskReadingTest {

  private static final List<String> STATUS =
      List.of(
          "Name:\tG1 Refine#0",
          "State:\tS (sleeping)",
          "Threads:\t30",
          "voluntary_ctxt_switches:\t1500",
          "nonvoluntary_ctxt_switches:\t27");

  @Test
  void readsNameTimeAndSwitches() {
    assertThat(Task.of(STATUS, "172839405 55 1527\n"))
        .isEqualTo(new Task("G1 Refine#0", 172_839_405, 1500, 27));
  }

  @Test
  void tellsTheThreadsOfTheJvmAndThoseThatLogApart() {
    assertThat(new Task("C2 CompilerThre", 1, 1, 1).isOfJvm()).isTrue();
    assertThat(new Task("lab-producer-1", 1, 1, 1).isOfJvm()).isFalse();
    assertThat(new Task("lab-producer-1", 1, 1, 1).logs()).isTrue();
    assertThat(new Task("AsyncAppender-W", 1, 1, 1).isOfJvm()).isFalse();
    assertThat(new Task("AsyncAppender-W", 1, 1, 1).logs()).isFalse();
  }
}
