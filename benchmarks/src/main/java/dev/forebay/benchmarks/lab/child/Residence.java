package dev.forebay.benchmarks.lab.child;

import dev.forebay.benchmarks.lab.Figure;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.AtomicHistogram;

/**
 * How old events are when they are encoded. One for the JVM, since Logback makes its encoders by
 * itself. Any thread.
 */
final class Residence {

  private static final long LONGEST_NS = TimeUnit.HOURS.toNanos(1);
  private static final AtomicHistogram AGES = new AtomicHistogram(LONGEST_NS, 3);

  /** One in so many events, minus one. */
  private static final int SAMPLE_MASK = 63;

  /** Threads may overwrite each other's number: then the sample is a little larger or smaller. */
  private static int events;

  private Residence() {}

  /** Notes the age of an event, if it belongs to the sample. */
  static void sample(Instant made) {
    if ((events++ & SAMPLE_MASK) == 0) {
      long ageNs = Duration.between(made, Instant.now()).toNanos();
      AGES.recordValue(Math.min(Math.max(0, ageNs), LONGEST_NS));
    }
  }

  static void forget() {
    AGES.reset();
  }

  /** Adds the figures, when there are any. */
  static void figures(Map<Figure, Double> to) {
    if (AGES.getTotalCount() > 0) {
      to.put(Figure.RESIDENCE_P50_NS, (double) AGES.getValueAtPercentile(50));
      to.put(Figure.RESIDENCE_P99_NS, (double) AGES.getValueAtPercentile(99));
    }
  }
}
