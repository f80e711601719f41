package dev.forebay.tiered;

import ch.qos.logback.core.encoder.Encoder;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether log calls may encode their own events. By default they may with encoders that are
 * known: these bear many threads at once, as under Logback's own file appenders, and wait for
 * nothing.
 */
final class CallerEncoders {

  private CallerEncoders() {}

  /**
   * Whether log calls may use it.
   *
   * @param configured what the user says of it; null if nothing
   */
  static boolean includes(Encoder<?> encoder, @Nullable Boolean configured) {
    boolean may = configured == null ? TextEncoders.isKnown(encoder.getClass()) : configured;
    return may && !isStateful(encoder);
  }

  /** As {@code Encoder.isStateful()} of Logback 1.6 says; earlier encoders cannot say it. */
  static boolean isStateful(Encoder<?> encoder) {
    try {
      Method asked = Encoder.class.getMethod("isStateful");
      return Boolean.TRUE.equals(asked.invoke(encoder));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false;
    }
  }
}
