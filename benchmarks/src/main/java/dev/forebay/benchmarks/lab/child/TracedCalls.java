package dev.forebay.benchmarks.lab.child;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Scenario.Load;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Requests of one log call at INFO and then some at TRACE. Those at TRACE have times of their own.
 * Used by one thread; the times are read by another when that one has finished.
 */
final class TracedCalls {

  private final OrderLog log;
  private final CallTimes times;
  private final CallTimes traceTimes;

  /** Calls at TRACE that are left of this turn, after the one that is made. */
  private int left;

  private boolean isTrace;

  TracedCalls(OrderLog log, CallTimes times, CallTimes traceTimes) {
    this.log = log;
    this.times = times;
    this.traceTimes = traceTimes;
  }

  /** The next call. */
  void call() {
    isTrace = left > 0;
    if (isTrace) {
      log.trace();
      left--;
    } else {
      log.info();
      left = Load.TRACES;
    }
  }

  /** After a call: the next one may belong to another request. */
  void enterNextRequest() {
    if (left == 0) {
      log.enterRequest();
    }
  }

  /** Where the time of the last call belongs. */
  CallTimes times() {
    return isTrace ? traceTimes : times;
  }

  /** Adds the figures of all calls at TRACE, when there are any. */
  static void figures(Histogram traces, Map<Figure, Double> to) {
    if (traces.getTotalCount() > 0) {
      to.put(Figure.TRACE_CALLS, (double) traces.getTotalCount());
      to.put(Figure.TRACE_P50_NS, (double) traces.getValueAtPercentile(50));
      to.put(Figure.TRACE_P99_NS, (double) traces.getValueAtPercentile(99));
      to.put(Figure.TRACE_P999_NS, (double) traces.getValueAtPercentile(99.9));
    }
  }
}
