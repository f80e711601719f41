package dev.forebay;

import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.pattern.color.ConverterSupplierByClassName;
import ch.qos.logback.core.status.ErrorStatus;
import ch.qos.logback.core.status.InfoStatus;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.WarnStatus;
import dev.forebay.agent.Speaker;
import dev.forebay.agent.Voice;
import dev.forebay.observe.Printable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Logback statuses of an appender. Logback calls the user's status listeners on the thread that
 * adds a status, with a lock, and most print. So a {@link Speaker} adds them, and ignores what a
 * listener throws; only those of a start outside log calls are added by the thread that starts, as
 * Logback's own are. Any thread.
 *
 * @hidden
 */
@SuppressWarnings("exports") // for dev.forebay.tiered
public final class Statuses implements Voice {

  /** How long a start waits until all is said, so that Logback prints it; a stop a quarter. */
  private static final long START_NS = 1_000_000_000;

  private final Appender<?> appender;
  private final Speaker speaker = new Speaker("forebay-status", this);

  /** Who starts the appender, outside a log call. */
  private volatile @Nullable Thread starting;

  public Statuses(Appender<?> appender) {
    this.appender = appender;
  }

  @Override
  public void warn(String text, @Nullable Throwable cause) {
    add(new WarnStatus(named(text), appender, cause));
  }

  @Override
  public void error(String text, @Nullable Throwable cause) {
    add(new ErrorStatus(named(text), appender, cause));
  }

  @Override
  public void info(String text) {
    add(new InfoStatus(named(text), appender));
  }

  private String named(String text) {
    return Printable.text("Appender [" + appender.getName() + "]: " + text);
  }

  private void add(Status status) {
    if (Thread.currentThread() == starting || speaker.isSpeaking()) {
      appender.addStatus(status);
    } else {
      speaker.say(() -> appender.addStatus(status));
    }
  }

  @Override
  public void lastResort(String text) {
    String named = named(text);
    speaker.say(
        () -> {
          if (StandardError.isNeededFor(appender.getContext())) {
            StandardError.print(named);
          }
        });
  }

  /** Our appenders of a context that run, also those that no logger reaches. */
  public static List<Appender<?>> running(Context context) {
    return HandedOver.running(context);
  }

  /**
   * The end of what {@link #start} has begun.
   *
   * @param isOver whether our threads have ended; else they may still have something to say
   */
  public void stopped(boolean isOver) {
    await();
    if (isOver) {
      HandedOver.end(appender);
    }
  }

  @Override
  public void await() {
    speaker.await(START_NS / 4);
  }

  /**
   * Runs a start. Where a library is of a version that lacks what it calls, the application starts
   * without the appender, and an ERROR says so.
   */
  public void start(Runnable start) {
    starting = Stopper.isInLogCall() ? null : Thread.currentThread();
    try {
      startHere(start);
    } finally {
      if (starting != null) {
        starting = null;
        speaker.await(START_NS);
      }
    }
  }

  private void startHere(Runnable start) {
    if (isLogbackTooOld()) {
      String version = Appender.class.getPackage().getImplementationVersion(); // not in a fat jar
      error(
          "not started: Logback%s is older than 1.5.13: take logback-classic and logback-core 1.5.13 or newer"
              .formatted(version == null ? "" : " " + version),
          null);
      return;
    }
    HandedOver.begin(appender, speaker);
    try {
      start.run();
    } catch (LinkageError e) {
      appender.stop();
      error("not started: a library on the class path is of a version that does not fit", e);
    } finally {
      if (!appender.isStarted()) {
        HandedOver.end(appender);
      }
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
