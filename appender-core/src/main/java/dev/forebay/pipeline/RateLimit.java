package dev.forebay.pipeline;

import dev.forebay.redact.Redactor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One limit: a bucket of {@code burst} tokens, to which {@code perSecond} a second are added and
 * from which each event takes one. In any time t no more than {@code burst + perSecond * t} pass.
 * Any thread; no lock.
 *
 * <p>The bucket is one number: when it will be full. What it lacks is the time until then, so
 * taking a token puts that off by the time that a token takes to come (GCRA).
 */
final class RateLimit {

  private static final long NS_PER_SECOND = 1_000_000_000;

  /** Events of this level index and above pass. */
  final int exemptFrom;

  private final String logger;

  /** Rounded up, so that no more pass than may; 0 without a rate. */
  private final long nsPerToken;

  private final long nsPerBucket;
  private final AtomicLong fullAtNs;
  private final @Nullable Duplicates duplicates;

  /**
   * A full bucket.
   *
   * @param nowNs as of {@link System#nanoTime}
   * @param redactor null if there is none
   */
  RateLimit(LimitSettings settings, long nowNs, @Nullable Redactor redactor) {
    this.exemptFrom = settings.exemptFrom();
    this.logger = settings.logger();
    int perSecond = settings.perSecond();
    this.nsPerToken = perSecond == 0 ? 0 : (NS_PER_SECOND + perSecond - 1) / perSecond;
    this.nsPerBucket = nsPerToken * settings.burst();
    this.fullAtNs = new AtomicLong(nowNs);
    int most = settings.duplicates();
    this.duplicates = most == 0 ? null : new Duplicates(most, redactor);
  }

  /** Whether the limit covers this logger. */
  boolean covers(String name) {
    int end = logger.length();
    return name.startsWith(logger)
        && (end == 0 || end == name.length() || isSeparator(name.charAt(end)));
  }

  /** The separators of Logback's logger names. */
  private static boolean isSeparator(char character) {
    return character == '.' || character == '$';
  }

  /** Returns null if an event may pass; otherwise the name under which it is counted. */
  @Nullable String refuse(String name, @Nullable String message, long nowNs) {
    String surplus = duplicates == null ? null : duplicates.nameOfSurplus(name, message, nowNs);
    if (surplus == null && nsPerToken > 0 && !take(nowNs)) {
      return name;
    }
    return surplus;
  }

  /**
   * Takes a token, or returns false if there is none.
   *
   * @param nowNs as of {@link System#nanoTime}; that of a slow thread may be older than what
   *     another one has brought
   */
  boolean take(long nowNs) {
    while (true) {
      long known = fullAtNs.get();
      long fullNs = (known - nowNs > 0 ? known : nowNs) + nsPerToken;
      if (fullNs - nowNs > nsPerBucket) {
        return false;
      }
      if (fullAtNs.compareAndSet(known, fullNs)) { // else another event has taken one
        return true;
      }
    }
  }
}
