package dev.forebay.it.demo.app;

import org.HdrHistogram.Histogram;

/**
 * The distribution of one kind of latency in one phase, in nanoseconds.
 *
 * @param count number of values; the others are 0 when there is none
 */
public record Latency(long count, long p50Ns, long p99Ns, long p999Ns, long maxNs) {

  /** No value at all. */
  public static final Latency NONE = new Latency(0, 0, 0, 0, 0);

  /** Summarizes a histogram of nanoseconds. */
  public static Latency of(Histogram histogram) {
    return new Latency(
        histogram.getTotalCount(),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(99),
        histogram.getValueAtPercentile(99.9),
        histogram.getMaxValue());
  }
}
