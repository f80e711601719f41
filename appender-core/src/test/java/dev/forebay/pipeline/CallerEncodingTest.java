package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Log calls that encode their own events while the flusher falls behind; nothing runs but them. */
class CallerEncodingTest {

  private static final int SLOTS = PipelineRig.SLOTS;
  private static final int HELP_FROM = SLOTS / 2;
  private static final long BYTES = PipelineRig.BYTES;

  private final PipelineRig rig = new PipelineRig(this::now);
  private final Ledger ledger = rig.ledger;
  private final List<String> encodedByCalls = new ArrayList<>();
  private final List<String> delivered = new ArrayList<>();
  private @Nullable RuntimeException failure;
  private @Nullable Error error;
  private int dropped;
  private boolean ready = true;
  private long nowNs;

  /** What happens at each look at the clock. */
  private Runnable tick = () -> {};

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
          if (error != null) {
            throw error;
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
          return ready;
        }

        @Override
        public boolean isReadyForCall() {
          return false;
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

  private final List<String> warnings = rig.warnings;
  private final PipelineRig.Parts parts = rig.parts(sink);
  private final EventRing ring = parts.ring;
  private final Flusher flusher = parts.flusher;
  private final Admission admission = admission(FillLimits.byLevel(SLOTS));

  private Admission admission(FillLimits limits) {
    rig.fillLimits = limits;
    return parts.admission();
  }

  @AfterEach
  void theLawHolds() {
    Conservation.assertHolds(ledger.snapshot());
    assertThat(ledger.snapshot().inFlight()).isZero();
    assertThat(ledger.snapshot().delivered()).isEqualTo(delivered.size());
    assertThat(ledger.snapshot().dropped()).isEqualTo(dropped);
  }

  private long now() {
    tick.run();
    return nowNs;
  }

  private void offer(Level level, String message) {
    admission.offer(Events.event(level, message), AppendGate.newCaller());
  }

  private void offer(String message) {
    offer(Level.WARN, message);
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

    assertThat(encodedByCalls).isEqualTo(messages(HELP_FROM, SLOTS));
    assertThat(delivered).as("in order").isEqualTo(messages(0, SLOTS));
  }

  @Test
  void callsStopEncodingWhileTheFlusherStandsStill() {
    offer(0, HELP_FROM + 1);
    nowNs += CallTurns.STILL_NS;
    offer(HELP_FROM + 1, HELP_FROM + 2);
    flusher.doWork();
    assertThat(encodedByCalls).isEqualTo(messages(HELP_FROM, HELP_FROM + 1));

    offer(0, HELP_FROM + 1);
    flusher.doWork();
    assertThat(encodedByCalls).as("it has moved").hasSize(2);
  }

  @Test
  void whatAnEncoderThrowsInACallIsLeftToTheFlusher() {
    error = new StackOverflowError("as if");
    offer(0, HELP_FROM + 1);
    flusher.doWork();

    assertThat(encodedByCalls).isEmpty();
    assertThat(delivered).isEqualTo(messages(0, HELP_FROM + 1));
    assertThat(warnings).as("a full stack is no fault of the encoder").isEmpty();
  }

  @Test
  void anEncoderThatFailsOnlyInCallsIsNamedOnce() {
    failure = new IllegalStateException("used by two threads");
    offer(0, HELP_FROM + 2);
    failure = null;
    flusher.doWork();

    assertThat(delivered).isEqualTo(messages(0, HELP_FROM + 2));
    assertThat(warnings).hasSize(1);
    assertThat(warnings.get(0))
        .contains(encoder.getClass().getName())
        .contains("<callerEncoding>false</callerEncoding>")
        .contains("used by two threads");
  }

  @Test
  void whatLeavesTheRingWithoutReachingTheSpoolIsNoProgress() {
    offer(0, HELP_FROM + 1);
    ring.poll(); // by an encoder that takes its time
    nowNs += CallTurns.STILL_NS;
    offer(HELP_FROM + 1, HELP_FROM + 3);
    dropped = 1;
    ledger.drop(DropReason.ENCODE_FAILED, Events.info("event 0"));
    flusher.doWork();
    assertThat(encodedByCalls).isEqualTo(messages(HELP_FROM, HELP_FROM + 1));
  }

  @Test
  void lessIsShedWhileCallsHelpThanWhileTheFlusherWaitsForTheSpool() {
    offerAll(Level.TRACE, SLOTS * 4 / 5);
    flusher.doWork();
    assertThat(delivered).hasSize(SLOTS * 4 / 5);

    offerAll(Level.TRACE, HELP_FROM);
    ready = false;
    flusher.doWork();
    offerAll(Level.TRACE, SLOTS - HELP_FROM);
    ready = true;
    flusher.doWork();
    dropped = SLOTS / 2;
    assertThat(delivered).hasSize(SLOTS * 4 / 5 + HELP_FROM);
    assertThat(ledger.snapshot().dropped(DropReason.SHED)).isEqualTo(SLOTS / 2);
  }

  @Test
  void aDiscardingThresholdShedsAsItSays() {
    Admission thresholded = admission(FillLimits.discardingBelow(SLOTS / 2 + 1, SLOTS));
    tick =
        () -> {
          nowNs += 10_000;
          assertThat(nowNs).as("no call has yielded").isLessThan(Admission.MAX_WAIT_NS);
        };
    for (int i = 0; i < SLOTS; i++) {
      thresholded.offer(Events.event(Level.INFO, "event " + i), AppendGate.newCaller());
    }
    flusher.doWork();
    dropped = SLOTS / 2;
    assertThat(delivered).hasSize(SLOTS / 2);
  }

  private void offerAll(Level level, int count) {
    for (int i = 0; i < count; i++) {
      admission.offer(Events.event(level, "event " + i), AppendGate.newCaller());
    }
  }

  @Test
  void theBytesOfACallCountAgainstTheBudgetAndComeBack() {
    String half = Events.text((int) (BYTES / 2 / 2 / 2)); // two bytes a character, of one half
    offer(0, HELP_FROM);
    offer(half);
    assertThat(ring.lacksBytes(BYTES / 2 / 4 + 1)).as("one and a half").isTrue();
    assertThat(ring.lacksBytes(BYTES / 2 / 4)).isFalse();
    flusher.doWork();

    assertThat(encodedByCalls).containsExactly(half);
    assertThat(ring.lacksBytes(BYTES / 2)).isFalse();
  }

  @Test
  void anEventThatFitsOnlyWithoutItsBytesIsEncodedByTheFlusher() {
    String most = Events.text((int) (BYTES / 2 / 2) - 1);
    offer(0, HELP_FROM);
    offer(most);
    flusher.doWork();

    assertThat(encodedByCalls).isEmpty();
    assertThat(delivered).hasSize(HELP_FROM + 1).last().isEqualTo(most);
  }
}
