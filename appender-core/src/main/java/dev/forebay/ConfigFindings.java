package dev.forebay;

import ch.qos.logback.core.spi.ContextAware;
import dev.forebay.observe.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Problems of a configuration. Errors make it unusable; warnings name settings with no or a reduced
 * effect. Every text names the element, its value and the limit.
 */
public final class ConfigFindings {

  private final List<String> errors = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  /** Creates an object without findings. */
  public ConfigFindings() {}

  /** Adds an error. */
  public void error(String text) {
    errors.add(text);
  }

  /** Adds a warning. */
  public void warn(String text) {
    warnings.add(text);
  }

  /** Adds an error unless {@code value} is between two limits, inclusive. */
  public void requireRange(String element, long value, long min, long max, String unit) {
    if (value < min || value > max) {
      error(
          "<%s> is %d%s: must be between %d and %d%s"
              .formatted(element, value, unit, min, max, unit));
    }
  }

  /**
   * Like {@link #requireRange}, for a time that may be unlimited in another appender.
   *
   * @param instead what to configure instead of a negative value, which means no limit there
   */
  public void requireBoundedMs(String element, long valueMs, long min, long max, String instead) {
    if (valueMs < 0) {
      error(
          "<%s> is %d ms: must be between %d and %d ms. Unlimited waiting is not supported: write %s"
              .formatted(element, valueMs, min, max, instead));
    } else {
      requireRange(element, valueMs, min, max, " ms");
    }
  }

  /**
   * Parses a time to milliseconds; if it is invalid, adds an error and returns {@code instead}.
   *
   * @param text a time for {@link TimeText}; null if not configured
   */
  public long timeMs(String element, @Nullable String text, long instead) {
    if (text == null) {
      return instead;
    }
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
    for (String text : warnings) {
      component.addWarn(Printable.text(appender + ": " + text));
    }
    for (String text : errors) {
      component.addError(Printable.text(appender + " not started: " + text));
    }
  }
}
