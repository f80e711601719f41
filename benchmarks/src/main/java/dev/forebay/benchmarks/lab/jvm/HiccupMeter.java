package dev.forebay.benchmarks.lab.jvm;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.AtomicHistogram;
import org.LatencyUtils.PauseDetectorListener;
import org.LatencyUtils.SimplePauseDetector;

/**
 * Pauses of all threads, as a request each millisecond would have met them. The pauses are found by
 * the detector of LatencyUtils, by jHiccup's author; jHiccup itself is not in Maven Central.
 */
final class HiccupMeter implements PauseDetectorListener {

  private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int DETECTORS = 3;
  private static final long LONGEST_NS = TimeUnit.HOURS.toNanos(1);

  private final SimplePauseDetector detector =
      new SimplePauseDetector(INTERVAL_NS, INTERVAL_NS, DETECTORS);

  /** Written by the detector's thread. */
  private final AtomicHistogram pauses = new AtomicHistogram(LONGEST_NS, 3);

  private HiccupMeter() {}

  static HiccupMeter start() {
    HiccupMeter meter = new HiccupMeter();
    meter.detector.addListener(meter);
    return meter;
  }

  @Override
  public void handlePauseEvent(long lengthNs, long endNs) {
    pauses.recordValueWithExpectedInterval(Math.min(lengthNs, LONGEST_NS), INTERVAL_NS);
  }

  /** Ends and adds the figures; all requests that met no pause count for zero. */
  void stop(long measuredNs, Map<JvmFigure, Double> to) {
    detector.shutdown();
    long requests = measuredNs / INTERVAL_NS;
    pauses.recordValueWithCount(0, Math.max(0, requests - pauses.getTotalCount()));
    to.put(JvmFigure.HICCUP_P999_NS, (double) pauses.getValueAtPercentile(99.9));
    to.put(JvmFigure.HICCUP_P9999_NS, (double) pauses.getValueAtPercentile(99.99));
    to.put(JvmFigure.HICCUP_MAX_NS, (double) pauses.getMaxValue());
  }
}
