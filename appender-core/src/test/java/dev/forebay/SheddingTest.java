package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Rig;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;
import org.slf4j.spi.MDCAdapter;

class SheddingTest {

  private static final long KB = 1024;

  @ParameterizedTest
  @CsvSource({"TRACE, 50", "DEBUG, 50", "INFO, 80", "WARN, 100", "ERROR, 100"})
  void eachLevelHasItsShareOfTheRing(Level level, int percent) {
    try (Rig rig = Rig.started(appender -> appender.setRingBufferSize(1024))) {
      Gate gate = rig.blockFlusher();
      for (int i = 0; i < 2000; i++) {
        rig.logger.atLevel(level).log("event");
      }

      int share = 1024 * percent / 100;
      DropReason reason = percent == 100 ? DropReason.RING_FULL : DropReason.SHED;
      assertThat(rig.snapshot().dropped(reason, level)).isEqualTo(2000 - share);
      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 2001, rig.delegate);
    }
  }

  @Test
  void theImportantIsTakenWhenTheUnimportantIsShed() {
    try (Rig rig = Rig.started(appender -> appender.setRingBufferSize(64))) {
      Gate gate = rig.blockFlusher();
      for (int i = 0; i < 100; i++) {
        rig.logger.debug("debug");
      }
      for (int i = 0; i < 100; i++) {
        rig.logger.info("info");
      }
      for (int i = 0; i < 100; i++) {
        rig.logger.error("error");
      }

      assertThat(rig.snapshot().dropped(DropReason.SHED, Level.DEBUG)).isEqualTo(100 - 32);
      assertThat(rig.snapshot().dropped(DropReason.SHED, Level.INFO)).isEqualTo(100 - (51 - 32));
      assertThat(rig.snapshot().dropped(DropReason.RING_FULL, Level.ERROR))
          .isEqualTo(100 - (64 - 51));
      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 301, rig.delegate);
    }
  }

  /** As in Logback: dropped while the number of free slots is below the threshold, not at it. */
  @ParameterizedTest
  @CsvSource({"0, 64", "1, 64", "16, 49", "64, 1"})
  void discardingThresholdIsTheNumberOfFreeSlotsBelowWhichInfoIsShed(int threshold, int taken) {
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setQueueSize(64);
              appender.setDiscardingThreshold(threshold);
            })) {
      Gate gate = rig.blockFlusher();
      rig.log(100);

      assertThat(rig.snapshot().offered() - 1 - rig.snapshot().dropped()).isEqualTo(taken);
      assertThat(rig.snapshot().dropped(threshold > 1 ? DropReason.SHED : DropReason.RING_FULL))
          .isEqualTo(100 - taken);
      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 101, rig.delegate);
    }
  }

  @Test
  void onlyDiscardableEventsAreLostWhenThereIsRoomForTheOthers() {
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setQueueSize(64);
              appender.setDiscardingThreshold(32);
            })) {
      Gate gate = rig.blockFlusher();
      for (int i = 0; i < 200; i++) {
        rig.logger.info("info");
      }
      for (int i = 0; i < 31; i++) {
        rig.logger.warn("warn");
      }
      gate.open();
      rig.appender.stop();

      assertThat(rig.snapshot().dropped(DropReason.SHED, Level.INFO)).isEqualTo(200 - 33);
      assertThat(rig.snapshot().dropped()).isEqualTo(200 - 33);
      Conservation.assertSettled(rig.appender, 232, rig.delegate);
    }
  }

  @Test
  void thresholdZeroLosesNothingBelowCapacity() {
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setQueueSize(256);
              appender.setDiscardingThreshold(0);
            })) {
      Gate gate = rig.blockFlusher();
      rig.log(256);
      gate.open();
      rig.appender.stop();

      assertThat(rig.snapshot().dropped()).isZero();
      Conservation.assertSettled(rig.appender, 257, rig.delegate);
    }
  }

  @Test
  void aRingOfOneSlotWorks() {
    try (Rig rig = Rig.started(appender -> appender.setRingBufferSize(1))) {
      Gate gate = rig.blockFlusher();
      rig.log(3);
      gate.open();
      rig.appender.stop();

      assertThat(rig.snapshot().dropped(DropReason.RING_FULL)).isEqualTo(2);
      Conservation.assertSettled(rig.appender, 4, rig.delegate);
    }
  }

  @Test
  void hugeMessagesAreBoundedByBytesAndSmallOnesStillGetIn() {
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setRingBufferSize(64);
              appender.setRingBufferBytes(new FileSize(256 * KB));
            })) {
      Gate gate = rig.blockFlusher();
      String message = Events.text(16 * (int) KB); // 32 KB of heap, of 128 to reserve
      for (int i = 0; i < 10; i++) {
        rig.logger.warn(message);
      }
      rig.logger.warn("small");

      assertThat(rig.snapshot().dropped(DropReason.BYTES_FULL, Level.WARN)).isEqualTo(10 - 4);
      gate.open();
      rig.appender.stop();
      assertThat(rig.delegate.messages()).contains("small");
      Conservation.assertSettled(rig.appender, 12, rig.delegate);
    }
  }

  @Test
  void largeArgumentsAreBoundedByBytesAlsoWhereTheMessageDoesNotShowThem() {
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setRingBufferSize(64);
              appender.setRingBufferBytes(new FileSize(256 * KB));
            })) {
      Gate gate = rig.blockFlusher();
      for (int i = 0; i < 10; i++) {
        rig.logger.warn("saved", (Object) new byte[31 * (int) KB]);
      }

      assertThat(rig.snapshot().dropped(DropReason.BYTES_FULL, Level.WARN)).isEqualTo(10 - 4);
      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 11, rig.delegate);
    }
  }

  @Test
  void aLargeMdcIsBoundedByBytesEachTimeItChanges() {
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setRingBufferSize(64);
              appender.setRingBufferBytes(new FileSize(256 * KB));
            })) {
      Gate gate = rig.blockFlusher();
      MDCAdapter mdc = rig.context.getMDCAdapter();
      mdc.put("request", "small");
      for (int i = 0; i < 64 / 16; i++) {
        rig.logger.warn("up to here an MDC weighs nothing");
      }
      for (int i = 0; i < 10; i++) {
        mdc.put("request", i + Events.text(31 * (int) KB / 2));
        rig.logger.warn("first of a request");
        rig.logger.warn("second of a request");
      }

      assertThat(rig.snapshot().dropped(DropReason.BYTES_FULL, Level.WARN))
          .as("what was refused weighs again")
          .isEqualTo(20 - 8);
      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 25, rig.delegate);
    }
  }

  @Test
  void theLastPartOfTheBytesIsForTheImportant() {
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setRingBufferSize(64);
              appender.setRingBufferBytes(new FileSize(256 * KB));
            })) {
      Gate gate = rig.blockFlusher();
      String message = Events.text(8 * (int) KB); // 16 KB of heap, of 128 to reserve
      for (int i = 0; i < 20; i++) {
        rig.logger.debug(message);
      }
      for (int i = 0; i < 20; i++) {
        rig.logger.info(message);
      }
      for (int i = 0; i < 20; i++) {
        rig.logger.error(message);
      }

      assertThat(rig.snapshot().dropped(DropReason.SHED, Level.DEBUG)).isEqualTo(20 - 4);
      assertThat(rig.snapshot().dropped(DropReason.SHED, Level.INFO)).isEqualTo(20 - 2);
      assertThat(rig.snapshot().dropped(DropReason.BYTES_FULL, Level.ERROR)).isEqualTo(20 - 2);
      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 61, rig.delegate);
    }
  }

  @Test
  void stackTracesCountByTheirFrames() {
    try (Rig rig = Rig.started(appender -> appender.setRingBufferBytes(new FileSize(64 * KB)))) {
      Gate gate = rig.blockFlusher();
      Throwable deep = new IllegalStateException("deep");
      StackTraceElement[] frames = new StackTraceElement[200]; // 25 KB of heap, of 32 to reserve
      Arrays.fill(frames, new StackTraceElement("C", "m", "C.java", 1));
      deep.setStackTrace(frames);
      rig.logger.error("first", deep);
      rig.logger.error("second", deep);

      assertThat(rig.snapshot().dropped(DropReason.BYTES_FULL, Level.ERROR)).isOne();
      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 3, rig.delegate);
    }
  }

  @Test
  void theBytesOfDeliveredEventsAreFreeAgain() {
    try (Rig rig = Rig.started(appender -> appender.setRingBufferBytes(new FileSize(64 * KB)))) {
      String message = Events.text(12 * (int) KB); // 24 of the 32 KB there are to reserve
      for (int i = 1; i <= 50; i++) {
        rig.logger.error(message);
        rig.awaitDelivered(i);
        assertThat(rig.appender.flush(Duration.ofSeconds(20))).isTrue();
      }
      assertThat(rig.snapshot().dropped()).isZero();
      Conservation.assertSettled(rig.appender, 50, rig.delegate);
    }
  }

  @Test
  void aValueAddedToTheBuilderAfterItsLogCallDoesNotUpsetTheByteBudget() {
    try (Rig rig = Rig.started(appender -> appender.setRingBufferBytes(new FileSize(64 * KB)))) {
      Gate gate = rig.blockFlusher();
      LoggingEventBuilder builder = rig.logger.atWarn().addKeyValue("a", "b");
      builder.log("the builder and the event share the list of values");
      builder = builder.addKeyValue("large", Events.text(100 * (int) KB));
      gate.open();
      rig.awaitDelivered(2);
      assertThat(builder).isNotNull();
      Gate second = new Gate();
      rig.delegate.gatedBy(second);
      rig.logger.error("held");
      second.awaitReached();

      String message = Events.text(12 * (int) KB);
      rig.logger.warn(message);
      rig.logger.warn(message);

      assertThat(rig.snapshot().dropped(DropReason.BYTES_FULL)).as("24 + 24 > 32 KB").isOne();
      second.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 5, rig.delegate);
    }
  }
}
