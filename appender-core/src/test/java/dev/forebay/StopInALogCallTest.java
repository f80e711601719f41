package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.ChildJvm;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.Rig;
import dev.forebay.testkit.Threads;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * An appender that is stopped by a thread that is inside a log call must not make that wait. This
 * is what Logback's sifting appender does, as SiftedStopTest shows.
 */
class StopInALogCallTest {

  /** Has the appender stopped by an event with this message. */
  private static final String STOP = "stop";

  private static Rig stoppable() {
    Rig rig = Rig.started(appender -> appender.setMaxFlushTime("1 hour"));
    rig.logger.addAppender(
        new RecordingAppender()
            .before(
                event -> {
                  if (event.getMessage().equals(STOP)) {
                    rig.appender.stop();
                  }
                }));
    return rig;
  }

  @Test
  void theCallDoesNotWaitForTheStopAndTheNextStartDoes() {
    try (Rig rig = stoppable()) {
      Gate gate = rig.blockFlusher();
      Threads.run(() -> rig.logger.info(STOP));

      assertThat(rig.appender.isStarted()).isFalse();
      assertThat(rig.delegate.stops()).as("the stop has not ended").isZero();
      assertThat(rig.snapshot().inFlight()).isEqualTo(2);
      rig.appender.doAppend(Events.info("late"));
      assertThat(rig.snapshot().dropped(DropReason.STOPPED)).isOne();

      gate.open();
      rig.appender.start();
      assertThat(rig.delegate.stops()).isOne();
      assertThat(rig.delegate.isStarted()).isTrue();
      rig.log(10);
      rig.stop(13);
      assertThat(rig.snapshot().dropped()).isOne();
      assertThat(rig.problems()).isEmpty();
    }
  }

  @Test
  void whatAContextStopsIsStoppedWhenTheCallReturns() {
    Rig rig = Rig.started(appender -> {});
    rig.log(1000);

    rig.context.stop();

    assertThat(rig.delegate.stops()).isOne();
    Conservation.assertSettled(rig.appender, 1000, rig.delegate);
  }

  @Test
  void aJvmThatEndsMeanwhileDrainsIt() throws Exception {
    assertThat(ChildJvm.run(StopsAndEnds.class)).hasLineCount(StopsAndEnds.EVENTS + 1);
  }

  /** Fills a slow appender, has it stopped by a log call and ends. */
  static final class StopsAndEnds {

    static final int EVENTS = 200;

    private StopsAndEnds() {}

    public static void main(String[] args) {
      Rig rig = stoppable();
      rig.delegate.before(
          event -> {
            LockSupport.parkNanos(1_000_000);
            System.out.println("written");
          });
      rig.log(EVENTS);
      rig.logger.info(STOP);
    }
  }
}
