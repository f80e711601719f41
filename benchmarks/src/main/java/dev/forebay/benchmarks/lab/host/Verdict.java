package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Whether a run counts. */
final class Verdict {

  private static final int DIGITS = 3;

  private Verdict() {}

  /** The measurement of a child, with the time of the fault, void if it does not add up. */
  static Measurement on(
      Measurement measured, Disturbance.Window window, @Nullable String faultProblem) {
    String reason = measured.voidBecause();
    if (reason == null) {
      reason = faultProblem;
    }
    if (reason == null && measured.peer().lines() != Peer.Lines.NONE) {
      reason = accountProblem(measured);
    }
    return measured.with(window.fromMs(), window.toMs(), reason);
  }

  private static @Nullable String accountProblem(Measurement measured) {
    if (measured.unaccounted() == 0) {
      return null;
    }
    return String.format(
        "%,.0f events offered, %,.0f lines, %,.0f dropped: %,.0f unaccounted for",
        measured.figure(Figure.OFFERED).orElse(0),
        measured.figure(Figure.LINES).orElse(0),
        measured.figure(Figure.DROPPED).orElse(0),
        measured.unaccounted());
  }

  /**
   * Whether a measurement is a defect of ours. Not so a ring in front of a {@code
   * RollingFileAppender} on a full disk: that appender loses what the disk refuses, and the ring is
   * not told.
   */
  static boolean isDefect(Measurement measured) {
    boolean isLostBehindTheRing =
        measured.peer() == Peer.FOREBAY_RING
            && measured.scenario().fault() == Scenario.Fault.FULL_DISK
            && measured.unaccounted() > 0;
    return measured.voidBecause() != null && measured.peer().isForebay() && !isLostBehindTheRing;
  }

  /** The measurement of a run that gave none. */
  static Measurement withoutResult(PlannedRun run, Disturbance.Window window, String reason) {
    return new Measurement(
        run.scenario(),
        run.peer(),
        run.repetition(),
        Map.of(),
        new Histogram(DIGITS),
        List.of(),
        window.fromMs(),
        window.toMs(),
        reason);
  }
}
