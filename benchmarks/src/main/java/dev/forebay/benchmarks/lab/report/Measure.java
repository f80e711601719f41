package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario.Load;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What is computed of a run of the lab. It is not a number where it was not measured. The template
 * says what each is called and in which table it stands.
 */
enum Measure implements ToDoubleFunction<Measurement> {
  P50(run -> percentile(run, 50)),
  P99(run -> percentile(run, 99)),
  P999(run -> percentile(run, 99.9)),
  P9999(run -> percentile(run, 99.99)),
  LONGEST(run -> percentile(run, 100)),
  FAULT_RATIO(Measure::faultRatio),
  TRACE_P50(run -> figure(run, Figure.TRACE_P50_NS)),
  TRACE_P99(run -> figure(run, Figure.TRACE_P99_NS)),
  TRACE_P999(run -> figure(run, Figure.TRACE_P999_NS)),
  RATE(Measure::rate),

  /** Of all threads but the JVM's own, while log calls are made. */
  SWITCHES(Measure::switches),
  CALLER_CPU(run -> figure(run, Figure.CALLER_CPU_NS) / events(run)),
  OTHER_CPU(run -> otherCpu(run) / events(run)),
  IDLE_CPU(run -> run.scenario().load() == Load.NONE ? percentOfACore(run) : Double.NaN),

  /** Of the threads behind calls that are made at two levels, percent of a core. */
  BEHIND(run -> run.scenario().load() == Load.TRACED ? percentOfACore(run) : Double.NaN),
  DISK_BYTES(run -> figure(run, Figure.DISK_BYTES) / figure(run, Figure.TRACE_CALLS)),
  CALLER_BYTES(run -> figure(run, Figure.CALLER_ALLOCATED_BYTES) / events(run)),
  OTHER_BYTES(run -> figure(run, Figure.OTHER_ALLOCATED_BYTES) / events(run)),
  RING_P50(run -> figure(run, Figure.RESIDENCE_P50_NS)),
  RING_P99(run -> figure(run, Figure.RESIDENCE_P99_NS)),
  HELD_HEAP(run -> figure(run, Figure.HELD_HEAP_BYTES)),
  HELD_SPOOL(run -> figure(run, Figure.HELD_SPOOL_BYTES)),
  START(run -> figure(run, Figure.START_NS)),
  STOP(run -> figure(run, Figure.STOP_NS)),
  OFFERED(run -> figure(run, Figure.OFFERED)),
  DELIVERED(run -> ofKept(run, Figure.LINES)),
  DROPPED(run -> ofKept(run, Figure.DROPPED)),
  EXPIRED(run -> figure(run, Figure.EXPIRED)),
  HELD(run -> figure(run, Figure.HELD)),

  /** Offered and neither in a line nor recorded, counted as dropped or not. */
  LOST(Measure::lost),
  UNACCOUNTED(run -> Double.isNaN(lost(run)) ? Double.NaN : run.unaccounted());

  private static final double NS_PER_SECOND = 1e9;
  private static final double NS_PER_MS = 1e6;

  @SuppressWarnings("ImmutableEnumChecker") // functions that keep nothing
  private final ToDoubleFunction<Measurement> value;

  Measure(ToDoubleFunction<Measurement> value) {
    this.value = value;
  }

  @Override
  public double applyAsDouble(Measurement run) {
    return value.applyAsDouble(run);
  }

  /** All that are known. */
  static Map<Measure, Double> known(Measurement run) {
    Map<Measure, Double> known = new EnumMap<>(Measure.class);
    for (Measure measure : values()) {
      double value = measure.applyAsDouble(run);
      if (Double.isFinite(value)) {
        known.put(measure, value);
      }
    }
    return known;
  }

  private static double figure(Measurement run, Figure figure) {
    return run.figure(figure).orElse(Double.NaN);
  }

  /** Nothing for a peer that keeps no events. */
  private static double ofKept(Measurement run, Figure figure) {
    return run.peer().lines() == Peer.Lines.NONE ? Double.NaN : figure(run, figure);
  }

  private static double percentile(Measurement run, double percent) {
    double ns = run.calls().getValueAtPercentile(percent);
    return run.calls().getTotalCount() == 0 ? Double.NaN : ns;
  }

  private static double events(Measurement run) {
    return figure(run, Figure.CALLS) + run.figure(Figure.TRACE_CALLS).orElse(0);
  }

  private static double lost(Measurement run) {
    double recorded = run.figure(Figure.EXPIRED).orElse(0);
    return figure(run, Figure.OFFERED) - ofKept(run, Figure.LINES) - recorded;
  }

  /** Events a second, until the last one is on the disk. */
  private static double rate(Measurement run) {
    return run.scenario().load() == Load.UNPACED_KEEPING
        ? NS_PER_SECOND * ofKept(run, Figure.CALLS) / figure(run, Figure.ELAPSED_NS)
        : Double.NaN;
  }

  private static double switches(Measurement run) {
    boolean goesOn = run.scenario().load().isOfANumber();
    double ns = figure(run, goesOn ? Figure.CALLING_NS : Figure.ELAPSED_NS);
    return NS_PER_SECOND * figure(run, Figure.VOLUNTARY_SWITCHES) / ns;
  }

  /** Without the JVM's own threads. */
  private static double otherCpu(Measurement run) {
    return figure(run, Figure.OTHER_CPU_NS) - figure(run, Figure.JVM_CPU_NS);
  }

  private static double percentOfACore(Measurement run) {
    boolean isIdle = run.scenario().load() == Load.NONE;
    double callers = isIdle ? run.figure(Figure.CALLER_CPU_NS).orElse(0) : 0;
    return 100 * (callers + otherCpu(run)) / figure(run, Figure.ELAPSED_NS);
  }

  /**
   * The longest call that overlapped the fault, as a multiple of the longest that did not. A call
   * belongs to the fault when it began before its end, however late it returned.
   */
  private static double faultRatio(Measurement run) {
    long during = 0;
    long outside = 0;
    for (int step = 0; step < run.longestNs().size(); step++) {
      long ns = run.longestNs().get(step);
      long fromMs = (long) step * Measurement.STEP_MS;
      boolean endedBefore = fromMs + Measurement.STEP_MS <= run.faultFromMs();
      if (endedBefore || fromMs - ns / NS_PER_MS > run.faultToMs()) {
        outside = Math.max(outside, ns);
      } else {
        during = Math.max(during, ns);
      }
    }
    return run.faultFromMs() < 0 || during == 0 ? Double.NaN : (double) during / outside;
  }
}
