package dev.forebay;

import ch.qos.logback.core.Appender;
import dev.forebay.observe.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Logback statuses of a running appender. Logback calls the user's status listeners on the thread
 * that adds a status, often one of ours. Exceptions of listeners are ignored, so that they cannot
 * disturb shipping. For any thread that does not log.
 */
public final class Statuses {

  private final Appender<?> appender;

  /**
   * @param appender the appender they are about
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
    } catch (Throwable t) { // foreign code, and nowhere left to report to
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

  /**
   * Runs a start. Where a library is of a version that lacks what it calls, the application starts
   * without the appender, and an ERROR says so.
   */
  public void start(Runnable start) {
    try {
      start.run();
    } catch (LinkageError e) {
      appender.stop();
      error("not started: a library on the class path is of a version that does not fit", e);
    }
  }

  private String named(String text) {
    return Printable.text("Appender [" + appender.getName() + "]: " + text);
  }
}
