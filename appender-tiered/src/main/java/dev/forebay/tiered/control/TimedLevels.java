package dev.forebay.tiered.control;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.spi.LifeCycle;
import ch.qos.logback.core.status.WarnStatus;
import dev.forebay.agent.NanoClock;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Levels of loggers that were set for a time: one for each logger context, whatever appender was
 * asked. Any thread; the timer's gives them back.
 *
 * <p>A level is given back only if it is still the one that was set here: a level set by other code
 * since then stays. A reset of the context, with which each reconfiguration begins, {@link #stop
 * ends} and forgets all of them; the configuration then sets the levels.
 *
 * <p>One lock makes each change whole, so a listener of levels that blocks delays the other
 * changes. What was done is logged without the lock, since an appender may block.
 */
public final class TimedLevels implements LifeCycle {

  static final int MAX_SECONDS = 3600;

  private static final String KEY = TimedLevels.class.getName();

  /** The logger of the lines that report a change of level. */
  private static final String LOGGER = "dev.forebay";

  /**
   * A level for a time.
   *
   * @param before the level the logger had; null if it inherited one
   */
  private record Timed(Logger logger, @Nullable Level before, Level set, long dueNs) {}

  /** How long the timer's thread lives without such levels. */
  private static final long LINGER_MS = 1000;

  private final LoggerContext context;
  private final NanoClock clock;
  private final ScheduledExecutorService timer;

  /** By name of the logger. Guarded by this. */
  private final Map<String, Timed> timed = new HashMap<>();

  TimedLevels(LoggerContext context, NanoClock clock, ScheduledExecutorService timer) {
    this.context = context;
    this.clock = clock;
    this.timer = timer;
    context.register(this);
  }

  /** The timed levels of a context. */
  public static TimedLevels of(LoggerContext context) {
    synchronized (TimedLevels.class) {
      if (context.getObject(KEY) instanceof TimedLevels known) {
        return known;
      }
      TimedLevels fresh = new TimedLevels(context, NanoClock.SYSTEM, newTimer());
      context.putObject(KEY, fresh);
      return fresh;
    }
  }

  /** As {@link dev.forebay.observe.ControlMXBean#setLevel}. */
  public String set(String name, String levelName, int seconds) {
    boolean isRoot = name.equalsIgnoreCase(Logger.ROOT_LOGGER_NAME);
    Logger logger = isRoot ? context.getLogger(Logger.ROOT_LOGGER_NAME) : context.exists(name);
    if (logger == null) {
      throw new IllegalArgumentException(
          "\"%s\" is no name of a logger: write that of a class that logs, of its package, or ROOT"
              .formatted(name));
    }
    Level level = level(levelName);
    if (seconds < 1 || seconds > MAX_SECONDS) {
      throw new IllegalArgumentException(
          "the level is to last %d s: must be 1 to %d".formatted(seconds, MAX_SECONDS));
    }
    String change = "level of %s set to %s for %d s".formatted(logger.getName(), level, seconds);
    say(change); // before it may silence the line; without the lock, as an appender may block
    return change + ", then " + nameOf(apply(logger, level, seconds));
  }

  /** Returns what the logger gets back; null if it will inherit. */
  private synchronized @Nullable Level apply(Logger logger, Level level, int seconds) {
    if (!isStarted()) { // the line may have taken long
      throw new IllegalStateException(
          "the level of %s is not set: Logback was configured anew meanwhile; ask again"
              .formatted(logger.getName()));
    }
    Timed earlier = timed.get(logger.getName());
    Level current = logger.getLevel();
    Level before = earlier != null && earlier.set.equals(current) ? earlier.before : current;
    long dueNs = clock.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    Timed fresh = new Timed(logger, before, level, dueNs);
    // First: without a thread, nothing would end it.
    Future<?> unused = timer.schedule(() -> giveBack(fresh), seconds, TimeUnit.SECONDS);
    timed.put(logger.getName(), fresh);
    logger.setLevel(level); // a listener may throw; the logger has the level even so
    return before;
  }

  /** A daemon thread that lives while there are such levels. */
  static ScheduledExecutorService newTimer() {
    ScheduledThreadPoolExecutor fresh = new ScheduledThreadPoolExecutor(1, TimedLevels::newThread);
    fresh.setKeepAliveTime(LINGER_MS, TimeUnit.MILLISECONDS);
    fresh.allowCoreThreadTimeOut(true);
    return fresh;
  }

  private static Thread newThread(Runnable work) {
    Thread thread = new Thread(null, work, "forebay-levels", 0, false);
    thread.setDaemon(true);
    // The application that asked may end before its context does.
    thread.setContextClassLoader(TimedLevels.class.getClassLoader());
    return thread;
  }

  private static Level level(String name) {
    Level level = name.equalsIgnoreCase("ALL") ? null : Level.toLevel(name, null);
    if (level == null) {
      throw new IllegalArgumentException(
          "the level is \"" + name + "\": must be TRACE, DEBUG, INFO, WARN, ERROR or OFF");
    }
    return level;
  }

  /** As {@link dev.forebay.observe.ControlMXBean#getLevels}. */
  public synchronized Map<String, String> show() {
    Map<String, String> levels = new TreeMap<>();
    long nowNs = clock.nanoTime();
    for (Logger logger : context.getLoggerList()) {
      Level level = logger.getLevel();
      if (level != null) {
        Timed known = timed.get(logger.getName());
        String shown = level.toString();
        if (known != null) {
          long secondsLeft = TimeUnit.NANOSECONDS.toSeconds(known.dueNs - nowNs);
          shown += " for %d s, then %s".formatted(Math.max(0, secondsLeft), nameOf(known.before));
        }
        levels.put(logger.getName(), shown);
      }
    }
    return levels;
  }

  /** Restores a level whose time is over. */
  private void giveBack(Timed known) {
    try {
      String text = restore(known);
      if (text != null) {
        say(text);
      }
    } catch (RuntimeException | Error e) { // of a listener or an appender
      context.getStatusManager().add(new WarnStatus("Giving back a level failed", this, e));
    }
  }

  /** Returns what was done; null if another timed level has replaced this one. */
  private synchronized @Nullable String restore(Timed over) {
    String name = over.logger.getName();
    Timed newest = timed.get(name);
    if (newest == null || newest.dueNs != over.dueNs) {
      return null;
    }
    timed.remove(name);
    Level current = over.logger.getLevel();
    if (!over.set.equals(current)) {
      return "level of %s stays %s, which others have set".formatted(name, nameOf(current));
    }
    over.logger.setLevel(over.before);
    return "level of %s is %s again".formatted(name, nameOf(over.before));
  }

  private static String nameOf(@Nullable Level level) {
    return level == null ? "inherited" : level.toString();
  }

  /** As WARN, so that it is in every log. */
  private void say(String text) {
    context.getLogger(LOGGER).warn("Forebay: {}", text);
  }

  @Override
  public void start() {}

  /** Ends all timed levels without restoring any. Called by Logback with each reset. */
  @Override
  public synchronized void stop() {
    timed.clear();
    timer.shutdownNow();
  }

  @Override
  public boolean isStarted() {
    return !timer.isShutdown();
  }
}
