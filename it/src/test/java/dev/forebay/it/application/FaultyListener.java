package dev.forebay.it.application;

import ch.qos.logback.classic.Logger;
import dev.forebay.it.support.Numbered;
import dev.forebay.observe.DropSummary;
import dev.forebay.observe.FailureListener;
import dev.forebay.observe.OutputProblem;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A failure listener that does what a test wants in each of its callbacks. */
public final class FaultyListener implements FailureListener {

  /** The callbacks. */
  enum Heard {
    DROPPED,
    DROPS_ENDED,
    OUTPUT_FAILED,
    OUTPUT_RECOVERED,
    STARTED,
    STOPPED
  }

  private static final Set<Heard> HEARD = ConcurrentHashMap.newKeySet();
  private static volatile Consumer<Heard> deed = callback -> {};

  /** Forgets what was heard; from now on every callback does this. */
  static void does(Consumer<Heard> what) {
    HEARD.clear();
    deed = what;
  }

  /** Throws. */
  static void throwing(Heard callback) {
    throw new NoClassDefFoundError("listener at " + callback);
  }

  /** Blocks in one callback until the latch is open, and hears of the others. */
  static Consumer<Heard> blockingAt(Heard blocked, CountDownLatch latch) {
    return callback -> {
      if (callback == blocked) {
        try {
          latch.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }

  /** Logs numbered messages. */
  static Consumer<Heard> loggingTo(Logger logger, AtomicLong next) {
    return callback -> logger.info(new Numbered("listener", next.getAndIncrement()).text());
  }

  static Set<Heard> heard() {
    return HEARD.isEmpty() ? EnumSet.noneOf(Heard.class) : EnumSet.copyOf(HEARD);
  }

  private static void on(Heard callback) {
    HEARD.add(callback);
    deed.accept(callback);
  }

  @Override
  public void onDropped(String appender, List<DropSummary> drops) {
    on(Heard.DROPPED);
  }

  @Override
  public void onDropsEnded(String appender) {
    on(Heard.DROPS_ENDED);
  }

  @Override
  public void onOutputFailed(String appender, OutputProblem problem) {
    on(Heard.OUTPUT_FAILED);
  }

  @Override
  public void onOutputRecovered(String appender, OutputProblem problem) {
    on(Heard.OUTPUT_RECOVERED);
  }

  @Override
  public void onAppenderStarted(String appender) {
    on(Heard.STARTED);
  }

  @Override
  public void onAppenderStopped(String appender) {
    on(Heard.STOPPED);
  }
}
