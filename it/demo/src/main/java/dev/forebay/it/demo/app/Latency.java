package dev.forebay.it.demo.app;

import java.util.stream.Stream;
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

  /** The values in the order of the components, separated by blanks. */
  public String toLine() {
    return count + " " + p50Ns + " " + p99Ns + " " + p999Ns + " " + maxNs;
  }

  /** Reads what {@link #toLine} wrote. */
  public static Latency parse(String line) {
    long[] values = Stream.of(line.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    return new Latency(values[0], values[1], values[2], values[3], values[4]);
  }
}
