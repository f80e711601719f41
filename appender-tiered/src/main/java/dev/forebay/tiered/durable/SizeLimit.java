package dev.forebay.tiered.durable;

import ch.qos.logback.core.rolling.SizeAndTimeBasedFileNamingAndTriggeringPolicy;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.lang.reflect.Field;

/**
 * Finds the size at which a triggering policy wants a new file, so that many records can be written
 * at once and a file still ends with the record Logback itself would end it with.
 */
final class SizeLimit {
  /** The policy has no limit, or none that can be seen from outside. */
  static final long UNKNOWN = -1;

  private SizeLimit() {}

  /** The limit in bytes, or {@link #UNKNOWN}. Asked of a started policy. */
  static long bytesOf(TriggeringPolicy<?> policy) {
    if (policy instanceof SizeBasedTriggeringPolicy) {
      return ((SizeBasedTriggeringPolicy<?>) policy).getMaxFileSize().getSize();
    }
    Object naming =
        policy instanceof TimeBasedRollingPolicy
            ? ((TimeBasedRollingPolicy<?>) policy).getTimeBasedFileNamingAndTriggeringPolicy()
            : policy;
    return naming instanceof SizeAndTimeBasedFileNamingAndTriggeringPolicy
        ? fieldOf(naming)
        : UNKNOWN;
  }

  /** The policy has a setter and no getter for its limit. On the module path it stays hidden. */
  private static long fieldOf(Object naming) {
    try {
      Field field =
          SizeAndTimeBasedFileNamingAndTriggeringPolicy.class.getDeclaredField("maxFileSize");
      field.setAccessible(true);
      return field.get(naming) instanceof FileSize limit ? limit.getSize() : UNKNOWN;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return UNKNOWN;
    }
  }
}
