package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.agent.TimeLimit;
import dev.forebay.agent.Voice;
import dev.forebay.observe.FailureListener;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Builds a small pipeline, or its parts without threads. Set the fields first. */
final class PipelineRig {

  static final int SLOTS = 64;
  static final int HIGH_WATER = SLOTS / 4;
  static final long BYTES = 1 << 20;

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  final Ledger ledger = new Ledger();
  final AppendGate gate = new AppendGate(ledger);

  /** Each with its cause. */
  final List<String> warnings = new CopyOnWriteArrayList<>();

  final LoggerContext context = Events.context("rig");
  final String appender = "RIG-" + NUMBERS.incrementAndGet();

  /** Has whoever waits for the warnings wait. */
  volatile Consumer<TimeLimit> onAwait = limit -> {};

  FillLimits fillLimits = FillLimits.none(SLOTS);
  int urgentIndex = Levels.COUNT;
  long appendTimeoutNs;
  long maxFlushNs = TimeUnit.SECONDS.toNanos(10);
  long reportIntervalNs = TimeUnit.SECONDS.toNanos(1);

  private final NanoClock clock;

  PipelineRig() {
    this(NanoClock.SYSTEM);
  }

  PipelineRig(NanoClock clock) {
    this.clock = clock;
  }

  private final class Said implements Voice {
    @Override
    public void warn(String text) {
      warn(text, null);
    }

    @Override
    public void warn(String text, @Nullable Throwable cause) {
      warnings.add(text + " " + cause);
    }

    @Override
    public void await(TimeLimit limit) {
      onAwait.accept(limit);
    }
  }

  private PipelineSettings settings() {
    return new PipelineSettings(
        appender,
        SLOTS,
        BYTES,
        fillLimits,
        urgentIndex,
        appendTimeoutNs,
        maxFlushNs,
        reportIntervalNs,
        false,
        List.of(),
        null,
        PipelineSettings.DEFAULT_THREAD_NAMES,
        1);
  }

  private PipelineContext environment() {
    return new PipelineContext(context, clock, () -> 0, new Said());
  }

  Pipeline pipeline(EventSink sink, @Nullable ParkPolicy park, FailureListener... listeners) {
    return new Pipeline(
        settings(), sink, ledger, List.of(listeners), RecordingEndpoint::new, environment(), park);
  }

  static void log(Pipeline into, ILoggingEvent event) {
    into.admission.offer(event, AppendGate.newCaller());
  }

  /** Nothing is left, and all that counts as delivered is there. */
  void stopAndCheck(Pipeline pipeline, TestSink sink) {
    assertThat(pipeline.stop()).isTrue();
    Conservation.assertHolds(ledger.snapshot());
    assertThat(ledger.snapshot().inFlight()).isZero();
    assertThat(ledger.snapshot().delivered()).isEqualTo(sink.messages.size());
  }

  Parts parts(EventSink sink) {
    return new Parts(sink);
  }

  final class Parts {

    final EventRing ring = new EventRing(SLOTS, BYTES, ledger);
    final HoleWatch holes = new HoleWatch(ring, environment());
    final DropReporter reports;
    final Flusher flusher;

    final CallTurns calls;

    private Parts(EventSink sink) {
      reports = new DropReporter(ledger, environment(), reportIntervalNs, sink.failureReason());
      flusher = new Flusher(ring, holes, sink, ledger, reports);
      calls =
          new CallTurns(
              ring, flusher, sink, ledger, environment(), (work, at) -> 0, "never started");
      ledger.addIntake(ring);
    }

    Admission admission() {
      return new Admission(settings(), calls);
    }
  }
}
