package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Rig;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.Level;

/** What a ring takes of each level, in slots and in bytes, while nobody empties it. */
class SheddingTest {

  private static final int KB = 1024;

  private static void inFullRing(Consumer<NonBlockingAppender> configure, Consumer<Rig> test) {
    try (Rig rig = Rig.started(configure)) {
      Gate gate = rig.blockFlusher();
      test.accept(rig);
      gate.open();
      LedgerSnapshot account = rig.snapshot(); // one: a report may come between two
      rig.stop(account.offered() - account.reports());
    }
  }

  private static Consumer<NonBlockingAppender> bytes(int kilobytes) {
    return appender -> {
      appender.setRingBufferSize(64);
      appender.setRingBufferBytes(new FileSize((long) kilobytes * KB));
    };
  }

  private static void assertDropped(Rig rig, DropReason reason, Level level, long events) {
    assertThat(rig.snapshot().dropped(reason, level)).as("%s", rig.snapshot()).isEqualTo(events);
  }

  /** Whose size is rounded up to 1024. */
  @ParameterizedTest
  @CsvSource({"TRACE, 50", "DEBUG, 50", "INFO, 80", "WARN, 100", "ERROR, 100"})
  void eachLevelHasItsShareOfTheRing(Level level, int percent) {
    inFullRing(
        appender -> appender.setRingBufferSize(1000),
        rig -> {
          rig.log(level, 2000);
          DropReason reason = percent == 100 ? DropReason.RING_FULL : DropReason.SHED;
          assertDropped(rig, reason, level, 2000 - 1024 * percent / 100);
          rig.logger.error("important");
          assertThat(rig.snapshot().dropped() - (2000 - 1024 * percent / 100))
              .as("no room only where the ring is full")
              .isEqualTo(percent / 100);
        });
  }

  /** As in Logback: dropped while the number of free slots is below the threshold, not at it. */
  @ParameterizedTest
  @CsvSource({"0, 64", "1, 64", "16, 49", "64, 1"})
  void discardingThresholdIsTheNumberOfFreeSlotsBelowWhichInfoIsShed(int threshold, int taken) {
    inFullRing(
        appender -> {
          appender.setQueueSize(64);
          appender.setDiscardingThreshold(threshold);
        },
        rig -> {
          rig.log(100);
          DropReason reason = threshold > 1 ? DropReason.SHED : DropReason.RING_FULL;
          assertDropped(rig, reason, Level.INFO, 100 - taken);
          rig.log(Level.WARN, 64 - taken);
          assertThat(rig.snapshot().dropped()).as("room for the others").isEqualTo(100 - taken);
        });
  }

  /** Each message and each array takes 32 KB of heap, of 128 that large events may reserve. */
  @Test
  void largeEventsAreBoundedByBytesAndSmallOnesStillGetIn() {
    inFullRing(
        bytes(256),
        rig -> {
          for (int i = 0; i < 5; i++) {
            rig.logger.warn(Events.text(16 * KB));
            rig.logger.warn("saved", (Object) new byte[31 * KB]);
          }
          rig.logger.warn("small");
          assertDropped(rig, DropReason.BYTES_FULL, Level.WARN, 10 - 4);
        });
  }

  @Test
  void aLargeMdcIsBoundedByBytesEachTimeItChanges() {
    inFullRing(
        bytes(256),
        rig -> {
          var mdc = rig.context.getMDCAdapter();
          mdc.put("request", "small");
          rig.log(Level.WARN, 64 / 16); // up to here an MDC weighs nothing
          for (int i = 0; i < 10; i++) {
            mdc.put("request", i + Events.text(31 * KB / 2));
            rig.logger.warn("first of a request");
            rig.logger.warn("second of a request");
          }
          assertThat(rig.snapshot().dropped(DropReason.BYTES_FULL, Level.WARN))
              .as("what was refused weighs again")
              .isEqualTo(20 - 8);
        });
  }

  @Test
  void theLastPartOfTheBytesIsForTheImportant() {
    inFullRing(
        bytes(256),
        rig -> {
          String message = Events.text(8 * KB); // 16 KB of heap, of 128 to reserve
          for (Level level : new Level[] {Level.DEBUG, Level.INFO, Level.ERROR}) {
            for (int i = 0; i < 20; i++) {
              rig.logger.atLevel(level).log(message);
            }
          }
          assertDropped(rig, DropReason.SHED, Level.DEBUG, 20 - 4);
          assertDropped(rig, DropReason.SHED, Level.INFO, 20 - 2);
          assertDropped(rig, DropReason.BYTES_FULL, Level.ERROR, 20 - 2);
        });
  }
}
