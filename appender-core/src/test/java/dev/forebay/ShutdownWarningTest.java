package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.host.Gate;
import dev.forebay.testkit.Rig;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A JVM that ends while events are left and nobody has stopped the appender. */
@Tag("once")
class ShutdownWarningTest {

  private static final String WARNING =
      "Appender [RING]: 6 events were not delivered within <maxFlushTime> (100 ms) and are lost"
          + " when the process ends: offered 6 = delivered 0 + dropped 0 {} + in flight 6";

  @Test
  void eventsLeftAreOnStandardErrorWhereNobodyListensToStatuses() throws Exception {
    assertThat(ChildJvm.run(EndWithEventsLeft.class, "nobody")).isEqualToIgnoringNewLines(WARNING);
  }

  @Test
  void otherwiseTheyAreAStatus() throws Exception {
    assertThat(ChildJvm.run(EndWithEventsLeft.class, "listener"))
        .isEqualToIgnoringNewLines("status " + WARNING);
  }

  @Test
  void aStatusListenerThatHangsDoesNotHoldUpTheEnd() throws Exception {
    assertThat(ChildJvm.run(EndWithEventsLeft.class, "hanging listener")).isEmpty();
  }

  @Test
  void nothingIsSaidWhereAllIsDelivered() throws Exception {
    assertThat(ChildJvm.run(EndWithEventsLeft.class, "delivered")).isEmpty();
  }

  /** Logs to an appender that hangs, and ends. */
  static final class EndWithEventsLeft {

    private EndWithEventsLeft() {}

    public static void main(String[] args) {
      boolean hangs = !args[0].equals("delivered");
      Rig rig = Rig.unstarted(ring -> ring.setMaxFlushTime(hangs ? "100 ms" : "1 hour"));
      if (args[0].contains("listener")) {
        rig.context.getStatusManager().add(listener(args[0].startsWith("hanging")));
      }
      if (args[0].equals("nobody") || args[0].equals("listener")) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> awaitWarning(rig)));
      }
      rig.appender.start();
      Gate gate = rig.blockFlusher();
      rig.log(5);
      if (!hangs) {
        gate.open();
      }
    }

    /** However slow that is: ShutdownDrainTest shows for how long the end waits for it. */
    private static void awaitWarning(Rig rig) {
      Await.until(
          "warned", () -> rig.problems().stream().anyMatch(text -> text.contains("not delivered")));
    }

    private static StatusListener listener(boolean hangs) {
      return status -> {
        while (hangs && status.getLevel() == Status.WARN) {
          LockSupport.park();
        }
        if (status.getLevel() == Status.WARN) {
          System.out.println("status " + status.getMessage());
        }
      };
    }
  }
}
