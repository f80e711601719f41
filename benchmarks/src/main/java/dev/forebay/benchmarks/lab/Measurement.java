package dev.forebay.benchmarks.lab;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One run of one peer in one scenario.
 *
 * @param scenario which
 * @param peer which
 * @param repetition counted from 1
 * @param figures those that were measured
 * @param calls time of each log call, nanoseconds: from the moment the call was due when a call
 *     before it was still waiting then, or else from the moment it was made
 * @param longestNs the longest log call that ended in each 100 ms of the measured time
 * @param faultFromMs when the fault began, milliseconds since the begin of the measured time; -1
 *     without one
 * @param faultToMs when it ended
 * @param voidBecause why the run counts for nothing, for example unaccounted events; null when it
 *     counts
 */
public record Measurement(
    Scenario scenario,
    Peer peer,
    int repetition,
    Map<Figure, Double> figures,
    Histogram calls,
    List<Long> longestNs,
    long faultFromMs,
    long faultToMs,
    @Nullable String voidBecause)
    implements Repetition {

  /** Name of the file of the results directory that has a line for each. */
  public static final String FILE_NAME = "runs.jsonl";

  /** Length of a step of {@link #longestNs}. */
  public static final int STEP_MS = 100;

  /** A figure, when it was measured. */
  public OptionalDouble figure(Figure figure) {
    Double value = figures.get(figure);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** Events that are neither in the log nor in what the appender says it dropped or let expire. */
  public double unaccounted() {
    return figures.getOrDefault(Figure.OFFERED, 0.0)
        - figures.getOrDefault(Figure.LINES, 0.0)
        - figures.getOrDefault(Figure.DROPPED, 0.0)
        - figures.getOrDefault(Figure.EXPIRED, 0.0);
  }

  /** The same with another answer to whether it counts, and the time of the fault. */
  public Measurement with(long fromMs, long toMs, @Nullable String reason) {
    return new Measurement(
        scenario, peer, repetition, figures, calls, longestNs, fromMs, toMs, reason);
  }
}
