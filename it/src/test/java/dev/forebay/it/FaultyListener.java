package dev.forebay.it;

import ch.qos.logback.classic.Logger;
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
  enum Callback {
    DROPPED,
    DROPS_ENDED,
    OUTPUT_FAILED,
    OUTPUT_RECOVERED,
    STARTED,
    STOPPED
  }

  private static final Set<Callback> HEARD = ConcurrentHashMap.newKeySet();
  private static volatile Consumer<Callback> deed = callback -> {};

  /** Forgets what was heard; from now on every callback does this. */
  static void does(Consumer<Callback> what) {
    HEARD.clear();
    deed = what;
  }

  /** Throws. */
  static void throwing(Callback callback) {
    throw new NoClassDefFoundError("listener at " + callback);
  }

  /** Blocks in one callback until the latch is open, and hears of the others. */
  static Consumer<Callback> blockingAt(Callback blocked, CountDownLatch latch) {
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
  static Consumer<Callback> loggingTo(Logger logger, AtomicLong next) {
    return callback -> logger.info(new Numbered("listener", next.getAndIncrement()).text());
  }

  static Set<Callback> heard() {
    return HEARD.isEmpty() ? EnumSet.noneOf(Callback.class) : EnumSet.copyOf(HEARD);
  }

  private static void on(Callback callback) {
    HEARD.add(callback);
    deed.accept(callback);
  }

  @Override
  public void onDropped(String appender, List<DropSummary> drops) {
    on(Callback.DROPPED);
  }

  @Override
  public void onDropsEnded(String appender) {
    on(Callback.DROPS_ENDED);
  }

  @Override
  public void onOutputFailed(String appender, OutputProblem problem) {
    on(Callback.OUTPUT_FAILED);
  }

  @Override
  public void onOutputRecovered(String appender, OutputProblem problem) {
    on(Callback.OUTPUT_RECOVERED);
  }

  @Override
  public void onAppenderStarted(String appender) {
    on(Callback.STARTED);
  }

  @Override
  public void onAppenderStopped(String appender) {
    on(Callback.STOPPED);
  }
}
