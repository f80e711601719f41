package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.forebay.agent.AgentThread;
import dev.forebay.observe.DropCursor;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import dev.forebay.observe.OutputHealth;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Log calls that encode their own events while the flusher falls behind; nothing runs but them. */
class CallerEncodingTest {

  private static final int SLOTS = 64;
  private static final int HIGH_WATER = SLOTS / 4;
  private static final long BYTES = 1 << 20;

  private final Ledger ledger = new Ledger();
  private final List<String> encodedByCalls = new ArrayList<>();
  private final List<String> delivered = new ArrayList<>();
  private @Nullable Error failure;
  private long nowNs;

  private final Encoder<ILoggingEvent> encoder =
      new EncoderBase<>() {
        @Override
        public byte[] headerBytes() {
          return new byte[0];
        }

        @Override
        public byte[] encode(ILoggingEvent event) {
          if (failure != null) {
            throw failure;
          }
          return event.getFormattedMessage().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] footerBytes() {
          return new byte[0];
        }
      };

  private final EventSink sink =
      new EventSink() {
        @Override
        public String name() {
          return "the sink";
        }

        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public Encoder<ILoggingEvent> callerEncoder() {
          return encoder;
        }

        @Override
        public void accept(ILoggingEvent event) {
          delivered.add(event.getFormattedMessage());
          ledger.deliver(1);
        }

        @Override
        public void acceptEncoded(ILoggingEvent event, byte[] bytes) {
          assertThat(event.getFormattedMessage().getBytes(StandardCharsets.UTF_8)).isEqualTo(bytes);
          encodedByCalls.add(event.getFormattedMessage());
          accept(event);
        }

        @Override
        public DropReason failureReason() {
          return DropReason.ENCODE_FAILED;
        }

        @Override
        public void endOfBatch() {}
      };

  private final CallerDataCheck callerDataCheck =
      new CallerDataCheck(false, false, (text, cause) -> {});
  private final ReplaceableRing rings =
      new ReplaceableRing(
          () -> new EventRing(SLOTS, BYTES, ledger),
          ledger,
          this::now,
          () -> 0,
          (text, cause) -> {});
  private final Flusher flusher =
      new Flusher(
          rings,
          sink,
          ledger,
          new OutputHealth("the sink", () -> 0),
          new DropReporter(
              ledger.cursor(DropCursor.Reader.IN_LOG),
              Events.context("encoding"),
              this::now,
              () -> 0,
              1,
              DropReason.ENCODE_FAILED),
          callerDataCheck);
  private final Admission admission =
      new Admission(
          new PipelineSettings(
              "ENCODING",
              SLOTS,
              BYTES,
              FillLimits.none(SLOTS),
              Levels.indexOf(org.slf4j.event.Level.ERROR),
              0,
              TimeUnit.SECONDS.toNanos(10),
              TimeUnit.SECONDS.toNanos(1),
              false,
              false,
              ThreadNames.DEFAULT_FORMAT),
          rings,
          flusher,
          new AgentThread(flusher, (workDone, at) -> 0, "never started", this::now, t -> {}, false),
          new CallerEncoding(encoder, callerDataCheck, this::now),
          ledger,
          this::now);

  CallerEncodingTest() {
    rings.start();
  }

  @AfterEach
  void theLawHolds() {
    Conservation.assertHolds(ledger.snapshot());
    assertThat(ledger.snapshot().inFlight()).isZero();
    assertThat(ledger.snapshot().delivered()).isEqualTo(delivered.size());
    assertThat(ledger.snapshot().dropped()).isZero();
  }

  private long now() {
    return nowNs;
  }

  private void offer(String message) {
    admission.offer(Events.event(Level.INFO, message), CallerState.create());
  }

  private void offer(int from, int to) {
    messages(from, to).forEach(this::offer);
  }

  private static List<String> messages(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "event " + i).toList();
  }

  @Test
  void aCallAboveTheHighWaterMarkEncodesItsOwnEvent() {
    offer(0, SLOTS);
    flusher.doWork();

    assertThat(encodedByCalls).isEqualTo(messages(HIGH_WATER, SLOTS));
    assertThat(delivered).as("in order").isEqualTo(messages(0, SLOTS));
  }

  @Test
  void callsStopEncodingWhileTheFlusherStandsStill() {
    offer(0, HIGH_WATER + 1);
    nowNs += CallerEncoding.STILL_NS;
    offer(HIGH_WATER + 1, HIGH_WATER + 2);
    flusher.doWork();
    assertThat(encodedByCalls).isEqualTo(messages(HIGH_WATER, HIGH_WATER + 1));

    offer(0, HIGH_WATER + 1);
    flusher.doWork();
    assertThat(encodedByCalls).as("it has moved").hasSize(2);
  }

  @Test
  void whatAnEncoderThrowsInACallIsLeftToTheFlusher() {
    failure = new StackOverflowError("as if");
    offer(0, HIGH_WATER + 1);
    flusher.doWork();

    assertThat(encodedByCalls).isEmpty();
    assertThat(delivered).isEqualTo(messages(0, HIGH_WATER + 1));
  }

  @Test
  void theBytesOfACallCountAgainstTheBudgetAndComeBack() {
    String half = Events.text((int) (BYTES / 2 / 2 / 2)); // two bytes a character, of one half
    offer(0, HIGH_WATER);
    offer(half);
    assertThat(rings.current().lacksBytes(BYTES / 2 / 4 + 1)).as("one and a half").isTrue();
    assertThat(rings.current().lacksBytes(BYTES / 2 / 4)).isFalse();
    flusher.doWork();

    assertThat(encodedByCalls).containsExactly(half);
    assertThat(rings.current().lacksBytes(BYTES / 2)).isFalse();
  }

  @Test
  void anEventThatFitsOnlyWithoutItsBytesIsEncodedByTheFlusher() {
    String most = Events.text((int) (BYTES / 2 / 2) - 1);
    offer(0, HIGH_WATER);
    offer(most);
    flusher.doWork();

    assertThat(encodedByCalls).isEmpty();
    assertThat(delivered).hasSize(HIGH_WATER + 1).last().isEqualTo(most);
  }
}
