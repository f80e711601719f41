package dev.forebay.tiered;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import dev.forebay.tiered.jvm.NoticeEncoder;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recognises encoders that write lines of text: Logback's, and other common ones by their package
 * names. Any other encoder may write binary data.
 */
final class TextEncoders {

  private static final List<String> PACKAGES =
      List.of(
          "net.logstash.logback.encoder.",
          "org.springframework.boot.logging.logback.",
          "co.elastic.logging.logback.");

  private TextEncoders() {}

  /** Whether it is one of these, or extends one. */
  static boolean includes(Encoder<?> encoder) {
    if (encoder instanceof LayoutWrappingEncoder<?>
        || encoder instanceof JsonEncoder
        || encoder instanceof NoticeEncoder) {
      return true;
    }
    for (Class<?> type = encoder.getClass(); type != null; type = type.getSuperclass()) {
      if (isOfLibrary(type)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is one of these itself: not what somebody else has made of it. */
  static boolean isKnown(Class<?> encoder) {
    return encoder == PatternLayoutEncoder.class
        || encoder == JsonEncoder.class
        || isOfLibrary(encoder);
  }

  private static boolean isOfLibrary(Class<?> encoder) {
    for (String name : PACKAGES) {
      if (encoder.getName().startsWith(name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether log calls may encode their own events. By default they may with encoders that are
   * known: these bear many threads at once, as under Logback's own file appenders, and wait for
   * nothing.
   *
   * @param configured what the user says of it; null if nothing
   */
  static boolean areForCallers(Encoder<?> encoder, @Nullable Boolean configured) {
    boolean may = configured == null ? isKnown(encoder.getClass()) : configured;
    return may && !isStateful(encoder);
  }

  /** As {@code Encoder.isStateful()} of Logback 1.6 says; earlier encoders cannot say it. */
  private static boolean isStateful(Encoder<?> encoder) {
    try {
      Method asked = Encoder.class.getMethod("isStateful");
      return Boolean.TRUE.equals(asked.invoke(encoder));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false;
    }
  }
}
