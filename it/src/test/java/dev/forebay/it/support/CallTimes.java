package dev.forebay.it.support;

import dev.forebay.TimeText;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long log calls took. None may take more than two seconds, whatever becomes of the disk,
 * beyond what its appender is told to wait for and what this machine let every thread of the
 * process wait: {@link ControlThread}. Loose on purpose. Any thread.
 */
public final class CallTimes {

  private static final long CEILING_NS = TimeUnit.SECONDS.toNanos(2);

  /** What makes a call wait, for so long at most. */
  private static final Pattern WAIT =
      Pattern.compile("<(?:appendTimeout|durabilityTimeout)>([^<]*)</");

  /** Throws what a call throws. */
  public interface Call<E extends Exception> {
    void make() throws E;
  }

  private final LongAccumulator longestNs = new LongAccumulator(Math::max, 0);
  private final LongAccumulator longestOwnNs = new LongAccumulator(Math::max, 0);

  /** Does a log call, or what contains one, and measures it. */
  public <E extends Exception> void measure(Call<E> logCall) throws E {
    long keptBeforeNs = ControlThread.keptNs();
    long startNs = System.nanoTime();
    logCall.make();
    long tookNs = System.nanoTime() - startNs;
    longestNs.accumulate(tookNs);
    if (tookNs > longestOwnNs.get()) {
      longestOwnNs.accumulate(tookNs - (ControlThread.keptUntilNowNs() - keptBeforeNs));
    }
  }

  public long longestNs() {
    return longestNs.get();
  }

  /** The same without the time in which the machine let the control thread wait. */
  public long longestOwnNs() {
    return longestOwnNs.get();
  }

  /** Forgets what was measured. */
  public void reset() {
    longestNs.reset();
    longestOwnNs.reset();
  }

  /** Fails if a call took too long for an appender that is configured so. */
  public void requireCeiling(String xml) {
    requireCeiling(longestOwnNs(), xml);
  }

  /** As the other, with a time that was measured in another process. */
  static void requireCeiling(long longestOwnNs, String xml) {
    long allowedNs = CEILING_NS;
    Matcher waits = WAIT.matcher(xml);
    while (waits.find()) {
      allowedNs += TimeUnit.MILLISECONDS.toNanos(TimeText.toMs(waits.group(1)).orElseThrow());
    }
    if (longestOwnNs > allowedNs) {
      throw new AssertionError(
          "a log call took %d ms, of at most %d ms"
              .formatted(longestOwnNs / 1_000_000, allowedNs / 1_000_000));
    }
  }

  /** Writes the longest call under a fault down, beside the reports of the tests. */
  public void record(String fault) throws IOException {
    record(fault, longestNs());
  }

  /** As the other, with a time that was measured in another process. */
  public static void record(String fault, long longestNs) throws IOException {
    Figures.record("longest-log-calls.txt", "%-60s %10.3f ms", fault, longestNs / 1e6);
  }
}
