package dev.forebay.benchmarks.lab.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.forebay.benchmarks.lab.child.TaskReading.Task;
import dev.forebay.host.Await;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
  void saysWhatItMisses() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Task.of(STATUS.subList(0, 4), "1 2 3"))
        .withMessageContaining("nonvoluntary_ctxt_switches");
  }

  @Test
  void tellsTheThreadsOfTheJvmAndThoseThatLogApart() {
    assertThat(new Task("C2 CompilerThre", 1, 1, 1).isOfJvm()).isTrue();
    assertThat(new Task("lab-producer-1", 1, 1, 1).isOfJvm()).isFalse();
    assertThat(new Task("lab-producer-1", 1, 1, 1).logs()).isTrue();
    assertThat(new Task("AsyncAppender-W", 1, 1, 1).isOfJvm()).isFalse();
    assertThat(new Task("AsyncAppender-W", 1, 1, 1).logs()).isFalse();
  }

  @Test
  void aThreadThatEndsOrBeginsInBetweenDoesNotCount() throws Exception {
    CountDownLatch ending = new CountDownLatch(1);
    Thread passing = started("ends-early", ending);
    TaskReading before = TaskReading.now();
    ending.countDown();
    passing.join();
    Await.until(
        "the system has ended it too", () -> !names(TaskReading.now()).contains("ends-early"));
    CountDownLatch end = new CountDownLatch(1);
    started("begins-late", end);

    List<Task> used = TaskReading.now().since(before);
    end.countDown();

    assertThat(used)
        .isNotEmpty()
        .extracting(Task::name)
        .doesNotContain("ends-early", "begins-late");
    assertThat(used).allSatisfy(task -> assertThat(task.cpuNs()).isNotNegative());
  }

  @Test
  void seesTheThreadsOfThisJvm() throws IOException {
    TaskReading reading = TaskReading.now();

    assertThat(names(reading)).contains("VM Thread", "Finalizer");
  }

  private static List<String> names(TaskReading reading) {
    return reading.since(reading).stream().map(Task::name).toList();
  }

  private static Thread started(String name, CountDownLatch until) {
    Thread thread =
        new Thread(
            () -> {
              try {
                until.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            name);
    thread.start();
    return thread;
  }
}
