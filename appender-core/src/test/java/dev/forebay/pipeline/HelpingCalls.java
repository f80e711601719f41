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

/** Log calls that may help; nothing runs but them, and the law holds after each test. */
abstract class HelpingCalls {

  static final int SLOTS = PipelineRig.SLOTS;
  static final int HELP_FROM = SLOTS / 2;
  static final long BYTES = PipelineRig.BYTES;

  final PipelineRig rig = new PipelineRig(this::now);
  final Ledger ledger = rig.ledger;
  final List<String> warnings = rig.warnings;
  final List<String> encodedByCalls = new ArrayList<>();
  final List<String> delivered = new ArrayList<>();
  @Nullable Error error;
  int dropped;
  boolean ready = true;
  boolean readyForCalls;
  int looksOfCalls;
  boolean survivesKill = true;
  long nowNs;

  /** What happens at each look at the clock. */
  Runnable tick = () -> {};

  final Encoder<ILoggingEvent> encoder =
      new EncoderBase<>() {
        @Override
        public byte[] headerBytes() {
          return new byte[0];
        }

        @Override
        public byte[] encode(ILoggingEvent event) {
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

  final EventSink sink =
      new EventSink() {
        @Override
        public String name() {
          return "the sink";
        }

        @Override
        public boolean makeReady() {
          return ready;
        }

        @Override
        public boolean isReadyForCall() {
          looksOfCalls++;
          return readyForCalls;
        }

        @Override
        public boolean writeForCall() {
          return true;
        }

        @Override
        public boolean survivesKill() {
          return survivesKill;
        }

        @Override
        public Encoder<ILoggingEvent> callerEncoder() {
          return encoder;
        }

        @Override
        public boolean accept(ILoggingEvent event, byte @Nullable [] encoded) {
          String message = event.getFormattedMessage();
          if (encoded != null) {
            assertThat(message.getBytes(StandardCharsets.UTF_8)).isEqualTo(encoded);
            encodedByCalls.add(message);
          }
          delivered.add(message);
          ledger.deliver(1);
          return true;
        }

        @Override
        public DropReason failureReason() {
          return DropReason.ENCODE_FAILED;
        }

        @Override
        public void endOfBatch() {}
      };

  final PipelineRig.Parts parts = rig.parts(sink);
  final EventRing ring = parts.ring;
  final Flusher flusher = parts.flusher;
  final Admission admission = admission(FillLimits.byLevel(SLOTS));

  Admission admission(FillLimits limits) {
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

  long now() {
    tick.run();
    return nowNs;
  }

  void offer(Level level, String message) {
    admission.offer(Events.event(level, message), AppendGate.newCaller());
  }

  void offer(String message) {
    offer(Level.WARN, message);
  }

  void offer(int from, int to) {
    messages(from, to).forEach(this::offer);
  }

  static List<String> messages(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "event " + i).toList();
  }
}
