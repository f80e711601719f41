package dev.forebay.tiered.file;

import ch.qos.logback.core.rolling.SizeAndTimeBasedFileNamingAndTriggeringPolicy;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.lang.reflect.Field;

/**
 * Finds the size at which a triggering policy wants a new file, so that many records can be written
 * at once and a file still ends with the same record as with Logback.
 */
final class SizeLimit {
  /** The policy has no limit, or none that is accessible. */
  static final long UNKNOWN = -1;

  private SizeLimit() {}

  /** The limit in bytes of a started policy, or {@link #UNKNOWN}. */
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

  /** Read by reflection: the policy has no getter. Not accessible on the module path. */
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
