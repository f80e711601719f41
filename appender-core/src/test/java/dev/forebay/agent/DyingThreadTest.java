package dev.forebay.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What is known of an Error when another thread may take the place of the one that it ends. */
class DyingThreadTest {

  /** That one may look for it only once. */
  @Test
  void anErrorIsReportedBeforeTheThreadCountsAsDead() {
    List<Throwable> errors = new CopyOnWriteArrayList<>();
    AgentThread thread =
        new AgentThread(
            () -> {
              throw new AssertionError("dies");
            },
            (workDone, nowNs) -> 0,
            "dying",
            NanoClock.SYSTEM,
            errors::add,
            false);
    CountDownLatch died = new CountDownLatch(1);
    List<Integer> reportedBefore = new CopyOnWriteArrayList<>();
    thread.whenDead(
        () -> {
          reportedBefore.add(errors.size());
          died.countDown();
        });
    thread.start();
    Await.latch(died);

    assertThat(reportedBefore).containsExactly(1);
  }
}
