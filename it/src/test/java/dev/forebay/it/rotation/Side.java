package dev.forebay.it.rotation;

import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.tiered.TieredAppender;

/** Whose appender it is that runs a scenario. */
enum Side {
  THEIRS,
  OURS;

  /** One appender, with the elements that both understand. */
  String appender(String name, String type, String inner, Places places) {
    return "<appender name=\"%s\" class=\"%s\">%s%s</appender>"
        .formatted(
            name,
            this == OURS ? TieredAppender.class.getName() : type,
            inner,
            this == OURS ? own(places) : "");
  }

  private static String own(Places places) {
    return "<spoolDirectory>%s</spoolDirectory><fsync>50 milliseconds</fsync>"
            .formatted(places.spool())
        + "<appendTimeout>30 seconds</appendTimeout><maxFlushTime>30 seconds</maxFlushTime>";
  }

  /** A context with one appender, called LOG. */
  Tiered configured(String type, String inner, Places places) throws Exception {
    return configured(appender("LOG", type, inner, places), "LOG");
  }

  /** A context whose root logger has these appenders. */
  static Tiered configured(String appenders, String... names) throws Exception {
    StringBuilder references = new StringBuilder();
    for (String name : names) {
      references.append("<appender-ref ref=\"%s\"/>".formatted(name));
    }
    return Tiered.configured(
        "<configuration>%s<root level=\"TRACE\">%s</root></configuration>"
            .formatted(appenders, references));
  }
}
