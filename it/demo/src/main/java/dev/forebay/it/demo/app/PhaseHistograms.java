package dev.forebay.it.demo.app;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;

/** One latency histogram for each phase; any thread may record. */
public final class PhaseHistograms {

  private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(2);

  private final Map<Phase, ConcurrentHistogram> histograms = new EnumMap<>(Phase.class);

  /** Starts with empty histograms. */
  public PhaseHistograms() {
    for (Phase phase : Phase.values()) {
      histograms.put(phase, new ConcurrentHistogram(LIMIT_NS, 3));
    }
  }

  /** Records one latency; longer ones than two minutes count as two minutes. */
  public void record(Phase phase, long latencyNs) {
    ConcurrentHistogram histogram = histograms.get(phase);
    if (histogram != null) {
      histogram.recordValue(Math.max(0, Math.min(latencyNs, LIMIT_NS)));
    }
  }

  /** What was recorded so far. */
  public Latency latency(Phase phase) {
    ConcurrentHistogram histogram = histograms.get(phase);
    return histogram == null ? Latency.NONE : Latency.of(histogram);
  }
}
