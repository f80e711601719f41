package dev.forebay.it.apart;

import dev.forebay.it.support.Xml;
import java.nio.file.Path;

/** Elements of an appender that only spools. */
final class Apart {

  /** What a kill costs is then told by what was offered. */
  static final String PATIENT = "<appendTimeout>30 seconds</appendTimeout>";

  private Apart() {}

  /** One that never ships itself, with messages that prove themselves. */
  static String inner(Path log, Path spool, String... more) {
    return inner("never", log, spool, more);
  }

  /** As the other, after which time without a shipper it ships itself. */
  static String inner(String fallback, Path log, Path spool, String... more) {
    return Xml.places(log, spool)
        + "<shipping>apart</shipping>"
        + "<shippingFallback>%s</shippingFallback>".formatted(fallback)
        + Xml.FAST
        + Xml.MESSAGES
        + String.join("", more);
  }
}
