package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.observe.Ledger;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Log calls that may help; nothing runs but them. The law holds after each test. */
abstract class LogCalls {

  static final int SLOTS = PipelineRig.SLOTS;
  static final int HELP_FROM = SLOTS / 2;
  static final long BYTES = PipelineRig.BYTES;
  static final long TIMEOUT_NS = 1_000_000;

  final PipelineRig rig = new PipelineRig(this::now);
  final Ledger ledger = rig.ledger;
  final List<String> warnings = rig.warnings;
  final TestSink sink = new TestSink(ledger);
  final ThreadLocal<int[]> callers = ThreadLocal.withInitial(AppendGate::newCaller);
  int dropped;
  long nowNs;

  volatile Runnable tick = () -> {};

  /** Takes log calls; a test takes the flusher's turns. */
  final class Parts {
    final EventRing ring;
    final Flusher flusher;
    final CallTurns calls;
    final Admission admission;

    Parts(boolean callersEncode, @Nullable CallDurability durability) {
      sink.callersEncode = callersEncode;
      sink.durability = durability;
      rig.reportIntervalNs = Long.MAX_VALUE / 2;
      rig.fillLimits = FillLimits.byLevel(SLOTS);
      PipelineRig.Parts parts = rig.parts(sink);
      ring = parts.ring;
      flusher = parts.flusher;
      calls = parts.calls;
      admission = parts.admission();
    }

    void offer(LoggingEvent event) {
      admission.offer(event, callers.get());
    }

    void offer(Level level, String message) {
      offer(Events.event(level, message));
    }

    void offer(Level level, int count) {
      messages(0, count).forEach(message -> offer(level, message));
    }

    void offer(String message) {
      offer(Level.WARN, message);
    }

    void offer(int from, int to) {
      messages(from, to).forEach(this::offer);
    }
  }

  long now() {
    tick.run();
    return nowNs;
  }

  void step(long stepNs) {
    tick = () -> nowNs += stepNs;
  }

  static List<String> messages(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "event " + i).toList();
  }

  long unconfirmed() {
    return ledger.snapshot().unconfirmed();
  }

  @AfterEach
  void theLawHolds() {
    Conservation.assertHolds(ledger.snapshot());
    assertThat(ledger.snapshot().inFlight()).isZero();
    assertThat(ledger.snapshot().dropped()).isEqualTo(dropped);
    assertThat(sink.written).hasSize((int) ledger.snapshot().delivered());
  }
}
