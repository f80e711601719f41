package dev.forebay.it.demo.app;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * One latency histogram for each phase, and the longest latency of each moment; any thread may
 * record. What is measured belongs to the phase in which it began.
 */
public final class PhaseHistograms {

  private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(2);

  private final Map<Phase, ConcurrentHistogram> histograms = new EnumMap<>(Phase.class);

  private final Longest longest = new Longest(System.currentTimeMillis(), System.nanoTime());

  /** Written by the thread that takes commands, read by those that measure. */
  private volatile Phase phase = Phase.WARM_UP;

  /** Starts with empty histograms. */
  public PhaseHistograms() {
    for (Phase phase : Phase.values()) {
      histograms.put(phase, new ConcurrentHistogram(LIMIT_NS, 3));
    }
  }

  /** From now on that is the phase. */
  public void enter(Phase next) {
    phase = next;
  }

  /** The phase now. */
  public Phase phase() {
    return phase;
  }

  /** Runs and measures one log call. */
  public void time(Runnable logCall) {
    Phase begunIn = phase;
    long startNs = System.nanoTime();
    logCall.run();
    record(begunIn, startNs, System.nanoTime() - startNs);
  }

  /** Records one latency; longer ones than two minutes count as two minutes. */
  public void record(Phase of, long begunNs, long latencyNs) {
    longest.record(begunNs, latencyNs);
    ConcurrentHistogram histogram = histograms.get(of);
    if (histogram != null) {
      histogram.recordValue(Math.max(0, Math.min(latencyNs, LIMIT_NS)));
    }
  }

  /** The longest latency of each moment so far. */
  public Longest.Slots longest() {
    return longest.slots();
  }

  /** What was recorded so far. */
  public Map<Phase, Latency> latencies() {
    Map<Phase, Latency> latencies = new EnumMap<>(Phase.class);
    histograms.forEach((of, histogram) -> latencies.put(of, Latency.of(histogram)));
    return latencies;
  }
}
