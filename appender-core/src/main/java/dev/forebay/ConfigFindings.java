package dev.forebay;

import ch.qos.logback.core.spi.ContextAware;
import dev.forebay.observe.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Problems of a configuration. Errors make it unusable; warnings name what has no or less effect.
 * Every text names the element, its value and the limit.
 */
public final class ConfigFindings {

  private final List<String> errors = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  /** No findings yet. */
  public ConfigFindings() {}

  /** Adds an error. */
  public void error(String text) {
    errors.add(text);
  }

  /** Adds a warning. */
  public void warn(String text) {
    warnings.add(text);
  }

  /** Adds an error unless {@code value} lies between two limits, which are allowed themselves. */
  public void requireRange(String element, long value, long min, long max, String unit) {
    if (value < min || value > max) {
      error(
          "<%s> is %d%s: must be between %d and %d%s"
              .formatted(element, value, unit, min, max, unit));
    }
  }

  /**
   * As {@link #requireRange}, for a time that another appender allows to be endless.
   *
   * @param instead what to write instead of a negative value, which means endless there
   */
  public void requireBoundedMs(String element, long valueMs, long min, long max, String instead) {
    if (valueMs < 0) {
      error(
          "<%s> is %d ms: must be between %d and %d ms. Nothing here waits for ever: write %s"
              .formatted(element, valueMs, min, max, instead));
    } else {
      requireRange(element, valueMs, min, max, " ms");
    }
  }

  /**
   * Parses a time to milliseconds; adds an error and returns {@code instead} if it is none.
   *
   * @param text as {@link TimeText} reads it
   */
  public long timeMs(String element, String text, long instead) {
    OptionalLong ms = TimeText.toMs(text);
    if (ms.isEmpty()) {
      error(
          "<%s> is \"%s\": must be a time, such as %s".formatted(element, text, TimeText.EXAMPLES));
    }
    return ms.orElse(instead);
  }

  /** Whether the configuration is unusable. */
  public boolean hasErrors() {
    return !errors.isEmpty();
  }

  List<String> warnings() {
    return warnings;
  }

  /** Reports everything as Logback statuses of {@code component}. */
  public void reportTo(ContextAware component, String name) {
    String appender = "Appender [" + name + "]";
    warnings.forEach(text -> component.addWarn(Printable.text(appender + ": " + text)));
    errors.forEach(text -> component.addError(Printable.text(appender + " not started: " + text)));
  }
}
