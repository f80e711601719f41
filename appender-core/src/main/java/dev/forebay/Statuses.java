package dev.forebay;

import ch.qos.logback.core.Appender;
import ch.qos.logback.core.pattern.color.ConverterSupplierByClassName;
import ch.qos.logback.core.status.Status;
import dev.forebay.agent.Voice;
import dev.forebay.observe.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Logback statuses of a running appender. Logback calls the user's status listeners on the thread
 * that adds a status, often one of ours. Exceptions of listeners are ignored, so that they cannot
 * disturb shipping. For any thread that does not log.
 *
 * @hidden
 */
@SuppressWarnings("exports") // for dev.forebay.tiered
public final class Statuses implements Voice {

  private final Appender<?> appender;

  public Statuses(Appender<?> appender) {
    this.appender = appender;
  }

  @Override
  public void warn(String text, @Nullable Throwable cause) {
    add(Status.WARN, text, cause);
  }

  @Override
  public void error(String text, @Nullable Throwable cause) {
    add(Status.ERROR, text, cause);
  }

  @Override
  public void info(String text) {
    add(Status.INFO, text, null);
  }

  private void add(int level, String text, @Nullable Throwable cause) {
    try {
      String named = Printable.text("Appender [" + appender.getName() + "]: " + text);
      switch (level) {
        case Status.ERROR -> appender.addError(named, cause);
        case Status.WARN -> appender.addWarn(named, cause);
        default -> appender.addInfo(named);
      }
    } catch (Throwable t) { // foreign code, and nowhere left to report to
      return;
    }
  }

  /**
   * Runs a start. Where a library is of a version that lacks what it calls, the application starts
   * without the appender, and an ERROR says so.
   */
  public void start(Runnable start) {
    if (isLogbackTooOld()) {
      String version = Appender.class.getPackage().getImplementationVersion(); // not in a fat jar
      error(
          "not started: Logback%s is older than 1.5.13: take logback-classic and logback-core 1.5.13 or newer"
              .formatted(version == null ? "" : " " + version),
          null);
      return;
    }
    try {
      start.run();
    } catch (LinkageError e) {
      appender.stop();
      error("not started: a library on the class path is of a version that does not fit", e);
    }
  }

  /** Whether it lacks a class that came with the converters that {@code CallerWords} looks at. */
  public static boolean isLogbackTooOld() {
    try {
      Class<?> unused = ConverterSupplierByClassName.class;
      return false;
    } catch (NoClassDefFoundError e) {
      return true;
    }
  }
}
