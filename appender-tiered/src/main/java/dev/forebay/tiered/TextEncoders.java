package dev.forebay.tiered;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.util.List;

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
    if (encoder instanceof LayoutWrappingEncoder<?> || encoder instanceof JsonEncoder) {
      return true;
    }
    for (Class<?> type = encoder.getClass(); type != null; type = type.getSuperclass()) {
      if (PACKAGES.stream().anyMatch(type.getName()::startsWith)) {
        return true;
      }
    }
    return false;
  }
}
