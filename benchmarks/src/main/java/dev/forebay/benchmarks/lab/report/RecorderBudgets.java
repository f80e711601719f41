package dev.forebay.benchmarks.lab.report;

import static dev.forebay.benchmarks.lab.Scenario.RECORDED;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.report.Budget.Bound;
import dev.forebay.benchmarks.lab.report.Budget.Computation;
import dev.forebay.benchmarks.lab.report.Measures.Measure;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;

/** What a flight recorder may cost. */
final class RecorderBudgets {

  private static final double CALL_NS = 250;
  private static final double TIMES = 2;
  private static final double PERCENT = 5;

  /** With TRACE off, a call at TRACE is none. */
  private static final Set<Peer> OFF = EnumSet.of(Peer.FOREBAY);

  private static final Set<Peer> NOT_COMPARED = EnumSet.allOf(Peer.class);
  private static final Measure CALL_P999 = Measures.percentile(99.9);

  /** In the order in which they are shown. */
  static final List<Budget> ALL =
      List.of(
          budget(
              "recorded call, p50",
              "recorded: calls at TRACE",
              Unit.TIME,
              CALL_NS,
              Budgets.in(RECORDED, Measures.figure(Figure.TRACE_P50_NS)),
              OFF),
          budget(
              "log call beside the recorder, p50",
              "recorded: calls at INFO",
              Unit.TIME,
              CALL_NS,
              Budgets.in(RECORDED, Measures.percentile(50)),
              EnumSet.noneOf(Peer.class)),
          budget(
              "recorded call, p99.9",
              "recorded: calls at TRACE, over those at INFO of the same repetition with TRACE off",
              Unit.TIMES,
              TIMES,
              timesWithout(Measures.figure(Figure.TRACE_P999_NS)),
              NOT_COMPARED),
          budget(
              "log call beside the recorder, p99.9",
              "recorded: calls at INFO, over those of the same repetition with TRACE off",
              Unit.TIMES,
              TIMES,
              timesWithout(CALL_P999),
              NOT_COMPARED),
          new Budget(
              "CPU behind the ring, encoder apart",
              "recorded: CPU of flusher and shipper with an encoder that costs nothing, of a core",
              Unit.PERCENT,
              Bound.AT_MOST,
              PERCENT,
              Budgets.in(RECORDED, Measures::tracedCpuPercent),
              NOT_COMPARED,
              Peer.FOREBAY_FLIGHT_BARE),
          budget(
              "bytes to the disk, a recorded event",
              "recorded: whole bytes, above those with TRACE off; a line has about 110",
              Unit.BYTES,
              0,
              wholeBytes(Budgets.above(RECORDED, Peer.FOREBAY, Measures::diskBytesPerTrace)),
              OFF),
          budget(
              "events lost, recorded",
              "recorded: offered events neither recorded nor in a line",
              Unit.COUNT,
              0,
              Budgets.in(RECORDED, Measures::lost),
              OFF));

  private RecorderBudgets() {}

  private static Budget budget(
      String what,
      String source,
      Unit unit,
      double limit,
      Computation computation,
      Set<Peer> withoutRivals) {
    return new Budget(
        what, source, unit, Bound.AT_MOST, limit, computation, withoutRivals, Peer.FOREBAY_FLIGHT);
  }

  private static Computation timesWithout(Measure measure) {
    return (summary, peer) -> {
      List<Measurement> without = Budgets.counting(summary, RECORDED, Peer.FOREBAY);
      return Spread.of(
          Budgets.counting(summary, RECORDED, peer).stream()
              .flatMapToDouble(
                  run ->
                      without.stream()
                          .filter(other -> other.repetition() == run.repetition())
                          .flatMapToDouble(other -> times(measure, run, other))));
    };
  }

  private static DoubleStream times(Measure measure, Measurement run, Measurement without) {
    double over = measure.of(run).orElse(Double.NaN);
    return DoubleStream.of(over / CALL_P999.of(without).orElse(Double.NaN));
  }

  /** When a page of the log is written back depends on the moment: that is less than a byte. */
  private static Computation wholeBytes(Computation computation) {
    return Budgets.atLeastNone(
        (summary, peer) -> {
          Optional<Spread> bytes = computation.of(summary, peer);
          return bytes.map(of -> of.map(Math::rint));
        });
  }
}
