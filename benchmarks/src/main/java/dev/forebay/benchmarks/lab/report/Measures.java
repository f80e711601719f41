package dev.forebay.benchmarks.lab.report;

import static dev.forebay.benchmarks.lab.Figure.CALLER_ALLOCATED_BYTES;
import static dev.forebay.benchmarks.lab.Figure.CALLER_CPU_NS;
import static dev.forebay.benchmarks.lab.Figure.CALLING_NS;
import static dev.forebay.benchmarks.lab.Figure.CALLS;
import static dev.forebay.benchmarks.lab.Figure.DISK_BYTES;
import static dev.forebay.benchmarks.lab.Figure.ELAPSED_NS;
import static dev.forebay.benchmarks.lab.Figure.EXPIRED;
import static dev.forebay.benchmarks.lab.Figure.JVM_CPU_NS;
import static dev.forebay.benchmarks.lab.Figure.LINES;
import static dev.forebay.benchmarks.lab.Figure.OFFERED;
import static dev.forebay.benchmarks.lab.Figure.OTHER_ALLOCATED_BYTES;
import static dev.forebay.benchmarks.lab.Figure.OTHER_CPU_NS;
import static dev.forebay.benchmarks.lab.Figure.TRACE_CALLS;
import static dev.forebay.benchmarks.lab.Figure.VOLUNTARY_SWITCHES;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/** What is computed of one run. Nothing when a figure that it needs was not measured. */
final class Measures {

  /** A number of a run. */
  interface Measure {
    OptionalDouble of(Measurement run);
  }

  private static final double NS_PER_SECOND = 1e9;

  private Measures() {}

  static Measure figure(Figure figure) {
    return run -> run.figure(figure);
  }

  /** The same, but nothing for a peer that keeps no events. */
  static Measure ofKept(Figure figure) {
    return run -> keeps(run) ? run.figure(figure) : none();
  }

  /** Log calls that were timed. */
  static OptionalDouble calls(Measurement run) {
    return run.calls().getTotalCount() > 0
        ? OptionalDouble.of((double) run.calls().getTotalCount())
        : run.figure(CALLS);
  }

  /** Time that this share of the log calls did not exceed. */
  static Measure percentile(double percent) {
    return run ->
        run.calls().getTotalCount() == 0
            ? OptionalDouble.empty()
            : OptionalDouble.of((double) run.calls().getValueAtPercentile(percent));
  }

  static OptionalDouble longest(Measurement run) {
    return percentile(100).of(run);
  }

  /** Voluntary context switches a second, while log calls are made. */
  static OptionalDouble switchesPerSecond(Measurement run) {
    boolean goesOn = run.scenario().load().isOfANumber();
    return ratio(run, NS_PER_SECOND, VOLUNTARY_SWITCHES, goesOn ? CALLING_NS : ELAPSED_NS);
  }

  /** CPU of the threads that log, nanoseconds an event. */
  static OptionalDouble callerCpuPerEvent(Measurement run) {
    return divide(run.figure(CALLER_CPU_NS), events(run));
  }

  /** CPU of all other threads but the JVM's own, nanoseconds an event. */
  static OptionalDouble otherCpuPerEvent(Measurement run) {
    return divide(otherCpu(run), events(run));
  }

  /** The two above together. */
  static OptionalDouble cpuPerEvent(Measurement run) {
    return add(callerCpuPerEvent(run), otherCpuPerEvent(run));
  }

  /** CPU of all threads but the JVM's own where nothing is logged, percent of a core. */
  static OptionalDouble cpuPercent(Measurement run) {
    if (run.scenario().load() != Scenario.Load.NONE) {
      return none();
    }
    double caller = run.figure(CALLER_CPU_NS).orElse(0);
    return scale(
        100, divide(add(OptionalDouble.of(caller), otherCpu(run)), run.figure(ELAPSED_NS)));
  }

  /** CPU behind the calls that are made at two levels, percent of a core. */
  static OptionalDouble tracedCpuPercent(Measurement run) {
    return run.scenario().load() == Scenario.Load.TRACED
        ? scale(100, divide(otherCpu(run), run.figure(ELAPSED_NS)))
        : none();
  }

  /** Bytes to the disks, for each event at TRACE. */
  static OptionalDouble diskBytesPerTrace(Measurement run) {
    return divide(run.figure(DISK_BYTES), run.figure(TRACE_CALLS));
  }

  static OptionalDouble callerBytesPerEvent(Measurement run) {
    return divide(run.figure(CALLER_ALLOCATED_BYTES), events(run));
  }

  static OptionalDouble otherBytesPerEvent(Measurement run) {
    return divide(run.figure(OTHER_ALLOCATED_BYTES), events(run));
  }

  /** Events a second, until the last one is on the disk; nothing for a peer that keeps none. */
  static OptionalDouble eventsPerSecond(Measurement run) {
    return keeps(run) ? ratio(run, NS_PER_SECOND, CALLS, ELAPSED_NS) : none();
  }

  /** Offered events; nothing for a peer that keeps none, or when the lines are not known. */
  static OptionalDouble offeredIfKept(Measurement run) {
    return lost(run).isPresent() ? run.figure(OFFERED) : none();
  }

  /** Offered events neither in a line nor recorded; nothing for a peer that keeps none. */
  static OptionalDouble lost(Measurement run) {
    double recorded = run.figure(EXPIRED).orElse(0);
    return keeps(run)
        ? add(run.figure(OFFERED), map(run.figure(LINES), lines -> -lines - recorded))
        : none();
  }

  /** The same in percent of those offered. */
  static OptionalDouble lostPercent(Measurement run) {
    return scale(100, divide(lost(run), run.figure(OFFERED)));
  }

  /** Events that are neither in the log nor in what the appender says it dropped. */
  static OptionalDouble unaccounted(Measurement run) {
    return lost(run).isPresent() ? OptionalDouble.of(run.unaccounted()) : none();
  }

  /**
   * The longest call that overlapped the fault, as a multiple of the longest that did not. A call
   * belongs to the fault when it began before its end, however late it returned.
   */
  static OptionalDouble faultRatio(Measurement run) {
    long during = 0;
    long outside = 0;
    for (int step = 0; step < run.longestNs().size(); step++) {
      long ns = run.longestNs().get(step);
      long stepFromMs = (long) step * Measurement.STEP_MS;
      boolean endedBefore = stepFromMs + Measurement.STEP_MS <= run.faultFromMs();
      boolean beganAfter = stepFromMs - ns / 1_000_000 > run.faultToMs();
      if (endedBefore || beganAfter) {
        outside = Math.max(outside, ns);
      } else {
        during = Math.max(during, ns);
      }
    }
    return run.faultFromMs() < 0 || outside == 0 || during == 0
        ? none()
        : OptionalDouble.of((double) during / outside);
  }

  /** Log calls at all levels. */
  private static OptionalDouble events(Measurement run) {
    double traces = run.figure(TRACE_CALLS).orElse(0);
    return map(run.figure(CALLS), calls -> calls + traces);
  }

  private static boolean keeps(Measurement run) {
    return run.peer().lines() != Peer.Lines.NONE;
  }

  private static OptionalDouble otherCpu(Measurement run) {
    return add(run.figure(OTHER_CPU_NS), scale(-1, run.figure(JVM_CPU_NS)));
  }

  private static OptionalDouble ratio(Measurement run, double factor, Figure over, Figure under) {
    return scale(factor, divide(run.figure(over), run.figure(under)));
  }

  private static OptionalDouble divide(OptionalDouble over, OptionalDouble under) {
    return over.isPresent() && under.orElse(0) > 0
        ? OptionalDouble.of(over.getAsDouble() / under.getAsDouble())
        : none();
  }

  private static OptionalDouble add(OptionalDouble one, OptionalDouble other) {
    return one.isPresent() && other.isPresent()
        ? OptionalDouble.of(one.getAsDouble() + other.getAsDouble())
        : none();
  }

  private static OptionalDouble scale(double factor, OptionalDouble value) {
    return map(value, number -> factor * number);
  }

  private static OptionalDouble map(OptionalDouble value, DoubleUnaryOperator function) {
    return value.isPresent()
        ? OptionalDouble.of(function.applyAsDouble(value.getAsDouble()))
        : none();
  }

  private static OptionalDouble none() {
    return OptionalDouble.empty();
  }
}
