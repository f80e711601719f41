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

/**
 * Log calls that return when their event is written. The flusher's thread does not run; a test
 * takes its turns with {@code calls.doWork()}. The law holds after each test.
 */
abstract class WaitingCalls {

  static final long TIMEOUT_NS = 1_000_000;

  final PipelineRig rig = new PipelineRig(this::now);
  final Ledger ledger = rig.ledger;
  final List<String> warnings = rig.warnings;
  final CallSink sink = new CallSink(ledger);
  final ThreadLocal<int[]> callers = ThreadLocal.withInitial(AppendGate::newCaller);
  int dropped;
  volatile long nowNs;
  volatile long stepNs;

  /** Takes log calls; the flusher's thread does not run. */
  final class Parts {
    final EventRing ring;
    final Flusher flusher;
    final CallTurns calls;
    final Admission admission;

    Parts(boolean callersEncode, @Nullable CallDurability durability) {
      sink.callersEncode = callersEncode;
      sink.durability = durability;
      rig.reportIntervalNs = Long.MAX_VALUE / 2;
      rig.fillLimits = FillLimits.byLevel(PipelineRig.SLOTS);
      PipelineRig.Parts parts = rig.parts(sink);
      ring = parts.ring;
      flusher = parts.flusher;
      calls = parts.calls();
      admission = parts.admission();
    }

    void offer(LoggingEvent event) {
      admission.offer(event, callers.get());
    }

    void offer(Level level, String message) {
      offer(Events.event(level, message));
    }

    void offer(String message) {
      offer(Level.INFO, message);
    }
  }

  final Parts all = new Parts(true, CallDurability.ofAll(TIMEOUT_NS));

  long now() {
    long seen = nowNs;
    nowNs = seen + stepNs;
    return seen;
  }

  static List<String> messages(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "event " + i).toList();
  }

  long unconfirmed() {
    return ledger.snapshot().unconfirmed();
  }

  @AfterEach
  void theLawHoldsAndNothingWasDoubled() {
    Conservation.assertHolds(ledger.snapshot());
    assertThat(ledger.snapshot().inFlight()).isZero();
    assertThat(ledger.snapshot().dropped()).isEqualTo(dropped);
    assertThat(sink.written).doesNotHaveDuplicates().hasSize((int) ledger.snapshot().delivered());
  }
}
