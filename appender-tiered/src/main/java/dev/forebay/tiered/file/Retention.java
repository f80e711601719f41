package dev.forebay.tiered.file;

import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.helper.ArchiveRemover;
import java.lang.reflect.Field;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says when a time-based policy of Logback's, or one that extends it, is to remove archives.
 *
 * <p>At each roll Logback hands a clean-up to a pool. Two of them, or one and the next roll, use
 * one calendar at once, get wrong dates and remove archives of today (1.5.13 to 1.6.6): each start
 * of a policy makes a remover with the calendar of its own dates. So the remover of an earlier
 * start works for us, and the policy has none. For the shipper's thread.
 */
final class Retention {
  private final TimeBasedRollingPolicy<?> policy;
  private final ArchiveRemover remover;
  private @Nullable Instant due;

  private Retention(TimeBasedRollingPolicy<?> policy, ArchiveRemover remover) {
    this.policy = policy;
    this.remover = remover;
  }

  /** Starts a policy; null if it still removes by itself what it removes. */
  static @Nullable Retention start(TimeBasedRollingPolicy<?> policy, @Nullable Retention former)
      throws ReflectiveOperationException {
    Retention taken = former == null ? take(policy) : former;
    boolean cleans = policy.isCleanHistoryOnStart();
    policy.setCleanHistoryOnStart(false); // not beside the dates that it computes
    try {
      policy.start();
      if (taken == null) { // of a policy's first start, one that another start replaces
        taken = take(policy);
        if (taken != null) {
          policy.stop();
          policy.start();
        }
      }
    } finally {
      policy.setCleanHistoryOnStart(cleans);
    }
    Object made = taken == null ? null : field("archiveRemover").get(policy);
    if (taken == null || made == null || made == taken.remover) {
      return null;
    }
    field("archiveRemover").set(policy, null);
    if (cleans) {
      taken.ask();
    }
    return taken;
  }

  /** Takes an idle remover out of a policy; null if they are hidden, as on the module path. */
  private static @Nullable Retention take(TimeBasedRollingPolicy<?> policy) {
    try {
      Object remover = field("archiveRemover").get(policy);
      if (!(remover instanceof ArchiveRemover one)
          || field("cleanUpFuture").get(policy) instanceof Future<?> last && !last.isDone()) {
        return null;
      }
      field("archiveRemover").set(policy, null);
      return new Retention(policy, one);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  private static Field field(String name) throws ReflectiveOperationException {
    Field field = TimeBasedRollingPolicy.class.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** To be called when Logback would clean up. */
  void ask() {
    var naming = policy.getTimeBasedFileNamingAndTriggeringPolicy();
    due = Instant.ofEpochMilli(naming.getCurrentTime());
  }

  /**
   * Takes a due clean-up, to be begun on any thread when the last has ended; null if none is due.
   */
  @Nullable Supplier<Future<?>> takeDue() {
    Instant now = due;
    due = null;
    return now == null ? null : () -> remover.cleanAsynchronously(now);
  }
}
