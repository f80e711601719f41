package dev.forebay;

import ch.qos.logback.core.Appender;
import dev.forebay.observe.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Logback statuses of a running appender. They may come from its own threads, and Logback hands
 * them to the user's status listeners there and then: what one of these throws ends here, where it
 * would otherwise upset the shipping of the log. Any thread that does not log.
 */
public final class Statuses {

  private final Appender<?> appender;

  /**
   * @param appender in whose name
   */
  public Statuses(Appender<?> appender) {
    this.appender = appender;
  }

  /** Adds a WARN. */
  public void warn(String text, @Nullable Throwable cause) {
    try {
      if (cause == null) {
        appender.addWarn(named(text));
      } else {
        appender.addWarn(named(text), cause);
      }
    } catch (Throwable t) { // foreign code, and nobody left to be told
      return;
    }
  }

  /** Adds an ERROR. */
  public void error(String text, @Nullable Throwable cause) {
    try {
      if (cause == null) {
        appender.addError(named(text));
      } else {
        appender.addError(named(text), cause);
      }
    } catch (Throwable t) { // as above
      return;
    }
  }

  /** Adds an INFO. */
  public void info(String text) {
    try {
      appender.addInfo(named(text));
    } catch (Throwable t) { // as above
      return;
    }
  }

  private String named(String text) {
    return Printable.text("Appender [" + appender.getName() + "]: " + text);
  }
}
