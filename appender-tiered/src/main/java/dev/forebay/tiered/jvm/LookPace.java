package dev.forebay.tiered.jvm;

/**
 * How soon the JVM's files are looked at again: the JVM wakes no thread when it writes. Lines that
 * it writes and deletes between two looks are lost, so between looks it may write only a small part
 * of what it keeps. Looks are rare only if a file is large. For one thread.
 */
final class LookPace {

  static final long SHORTEST_NS = 1_000_000;

  /** How long a line waits at most if the JVM writes little. */
  static final long LONGEST_NS = 1_000_000_000;

  private static final long FIRST_NS = 10_000_000;

  private static final double NS_PER_S = 1e9;

  /** The rate at which a quiet JVM may suddenly write; a look comes before a file is full. */
  private static final double SUDDEN_BYTES_PER_S = 1 << 20;

  /** The fraction of a file that the next look is to find at most. */
  private static final int SHARE = 8;

  /** The most bytes that a look is to find: as many lines as a turn passes on. */
  private static final long MOST_BYTES = 128 << 10;

  private long restNs = FIRST_NS;
  private long lookedNs;
  private long seenBytes;

  /**
   * Returns nanoseconds until the next look.
   *
   * @param writtenBytes what the JVM has written, from any origin
   * @param fileBytes size at which the JVM begins another file; 0 if it does not
   */
  long next(long nowNs, long writtenBytes, long fileBytes) {
    restNs = nextNs(restNs, nowNs - lookedNs, writtenBytes - seenBytes, fileBytes);
    lookedNs = nowNs;
    seenBytes = writtenBytes;
    return restNs;
  }

  /**
   * At most twice the last time. As long as it takes the JVM to write a share of a file, at the
   * rate found; not at all if it has filled one.
   */
  static long nextNs(long lastNs, long elapsedNs, long bytes, long fileBytes) {
    double file = fileBytes == 0 ? Double.MAX_VALUE : fileBytes;
    if (bytes >= file) {
      return 0;
    }
    double longestNs = LONGEST_NS;
    if (bytes > 0) {
      double atRateNs = elapsedNs * (Math.min(file / SHARE, MOST_BYTES) / bytes);
      longestNs = Math.min(longestNs, Math.min(atRateNs, NS_PER_S * file / SUDDEN_BYTES_PER_S));
    }
    return (long) Math.max(SHORTEST_NS, Math.min(longestNs, 2.0 * Math.max(lastNs, SHORTEST_NS)));
  }
}
