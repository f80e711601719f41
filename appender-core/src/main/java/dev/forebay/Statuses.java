package dev.forebay;

import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.pattern.color.ConverterSupplierByClassName;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.status.ErrorStatus;
import ch.qos.logback.core.status.InfoStatus;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.WarnStatus;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.TimeLimit;
import dev.forebay.agent.Voice;
import dev.forebay.observe.Printable;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Logback statuses of an appender. From its first start on {@link HandedOver} adds them, and
 * ignores what a listener throws. Any thread.
 *
 * @hidden
 */
@SuppressWarnings("exports") // for dev.forebay.tiered
public final class Statuses implements Voice {

  /** How long a start waits until Logback has printed its statuses; a stop waits a quarter. */
  private static final long START_NS = 1_000_000_000;

  private final Appender<?> appender;

  /** The manager of the newest start. */
  private volatile @Nullable HandedOver out;

  public Statuses(Appender<?> appender) {
    this.appender = appender;
  }

  @Override
  public void warn(String text) {
    warn(text, null);
  }

  @Override
  public void warn(String text, @Nullable Throwable cause) {
    add(new WarnStatus(named(appender, text), appender, cause));
  }

  @Override
  public void error(String text, @Nullable Throwable cause) {
    add(new ErrorStatus(named(appender, text), appender, cause));
  }

  @Override
  public void info(String text) {
    add(new InfoStatus(named(appender, text), appender));
  }

  static String named(Appender<?> appender, String text) {
    return Printable.text("Appender [" + appender.getName() + "]: " + text);
  }

  private void add(Status status) {
    say(() -> appender.addStatus(status));
  }

  private void say(Runnable message) {
    HandedOver handed = out;
    if (handed == null) {
      message.run();
    } else {
      handed.say(message);
    }
  }

  @Override
  public void lastResort(String text) {
    say(
        () -> {
          if (appender.getContext().getStatusManager().getCopyOfStatusListenerList().isEmpty()) {
            print(named(appender, text));
          }
        });
  }

  /** Prints a line on standard error. Blocks if the reader of a pipe stops reading. */
  public static void print(String text) {
    System.err.println(Printable.text(text));
  }

  /** Our appenders of a context that run, also those that no logger reaches. */
  public static List<Appender<?>> running(Context context) {
    return HandedOver.running(context);
  }

  /**
   * Adds appenders, and those attached to them, at any depth. Here, as each start has this class.
   */
  public static void addAll(Iterator<? extends Appender<?>> appenders, Set<Object> seen) {
    while (appenders.hasNext()) {
      Appender<?> appender = appenders.next();
      if (seen.add(appender) && appender instanceof AppenderAttachable<?> holder) {
        addAll(holder.iteratorForAppenders(), seen);
      }
    }
  }

  /**
   * Ends what {@link #start} has begun.
   *
   * @param isOver whether our threads have ended; if not, they may still report
   */
  public void stopped(boolean isOver) {
    await(new TimeLimit(NanoClock.SYSTEM, START_NS / 4));
    if (isOver) {
      HandedOver.end(appender);
    }
  }

  @Override
  public void await(TimeLimit limit) {
    HandedOver handed = out;
    if (handed != null) {
      handed.await(limit);
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
    out = HandedOver.begin(appender);
    try {
      start.run();
    } catch (LinkageError e) {
      appender.stop();
      error("not started: a library on the class path is of a version that does not fit", e);
    } finally {
      if (!Stopper.isInLogCall()) {
        await(new TimeLimit(NanoClock.SYSTEM, START_NS));
      }
      if (!appender.isStarted()) {
        HandedOver.end(appender);
      }
    }
  }

  /** Whether Logback lacks a class that came with the converters that {@code CallerWords} knows. */
  public static boolean isLogbackTooOld() {
    try {
      Class<?> unused = ConverterSupplierByClassName.class;
      return false;
    } catch (NoClassDefFoundError e) {
      return true;
    }
  }
}
