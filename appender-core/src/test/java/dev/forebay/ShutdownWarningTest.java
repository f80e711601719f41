package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.host.Gate;
import dev.forebay.testkit.Rig;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A JVM that ends while events are left and nobody has stopped the appender. */
@Tag("once")
class ShutdownWarningTest {

  private static final String WARNING =
      "Appender [RING]: 6 events were not delivered within <maxFlushTime> (100 ms) and are lost"
          + " when the process ends: offered 6 = delivered 0 + dropped 0 {} + in flight 6";

  @ParameterizedTest
  @CsvSource({
    "nobody listens to statuses, ''",
    "a listener, 'status '",
    "a hanging listener,",
    "all is delivered,"
  })
  void eventsLeftAreAStatusOrOnStandardErrorWhereNobodyListens(String end, @Nullable String begin)
      throws Exception {
    assertThat(ChildJvm.run(EndWithEventsLeft.class, end))
        .isEqualToIgnoringNewLines(begin == null ? "" : begin + WARNING);
  }

  static final class EndWithEventsLeft {

    private EndWithEventsLeft() {}

    public static void main(String[] args) {
      boolean hangs = !args[0].equals("all is delivered");
      Rig rig = Rig.unstarted(ring -> ring.setMaxFlushTime(hangs ? "100 ms" : "1 hour"));
      if (args[0].endsWith("listener")) {
        rig.context.getStatusManager().add(listener(args[0].contains("hanging")));
      }
      if (hangs && !args[0].contains("hanging")) {
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
