package dev.forebay.it.demo.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StallGateTest {

  private final StallGate gate = new StallGate();

  private static Thread start(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void awaitStall(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }

  @Test
  void letsThreadsPassWhenOpenedAgain() throws InterruptedException {
    gate.pass();
    gate.close();
    Thread thread = start(gate::pass);
    awaitStall(thread);

    gate.open();

    thread.join();
    assertThat(thread.isAlive()).isFalse();
  }

  @Test
  void neitherLetsAnInterruptedThreadPassNorForgetsTheInterrupt() throws Exception {
    gate.close();
    FutureTask<Boolean> passing =
        new FutureTask<>(
            () -> {
              Thread.currentThread().interrupt();
              gate.pass();
              return Thread.interrupted();
            });
    Thread thread = start(passing);
    awaitStall(thread);

    gate.open();

    assertThat(passing.get()).isTrue();
  }
}
