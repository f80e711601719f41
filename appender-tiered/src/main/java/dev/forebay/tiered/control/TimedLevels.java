package dev.forebay.tiered.control;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggerContextListener;
import dev.forebay.agent.Agent;
import dev.forebay.agent.NanoClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Levels of loggers that were set for a time: one for each logger context, whatever appender was
 * asked. Any thread.
 *
 * <p>A level is given back only if it is still the one that was set here: what others set since
 * then stays. A reset of the context, with which each reconfiguration begins, ends all of them; the
 * configuration then sets the levels.
 */
public final class TimedLevels {

  static final int MAX_SECONDS = 3600;

  private static final String KEY = TimedLevels.class.getName();

  /** Of the lines that say what was done. */
  private static final String LOGGER = "dev.forebay";

  /**
   * One logger.
   *
   * @param before the level it had; null if it inherited one
   * @param set the level it has meanwhile
   * @param dueNs when it gets back the other one
   */
  private record Timed(@Nullable Level before, Level set, long dueNs) {}

  private final LoggerContext context;
  private final NanoClock clock;
  private final LevelTimer timer;

  /** By name of the logger. Guarded by this. */
  private final Map<String, Timed> timed = new HashMap<>();

  /** Whether the context was reset or stopped. Guarded by this. */
  private boolean isOver;

  TimedLevels(LoggerContext context, NanoClock clock) {
    this.context = context;
    this.clock = clock;
    this.timer = new LevelTimer(this, clock, context);
    context.addListener(new Ends());
  }

  /** Those of a context. */
  public static TimedLevels of(LoggerContext context) {
    synchronized (TimedLevels.class) {
      if (context.getObject(KEY) instanceof TimedLevels known && !known.isOver()) {
        return known;
      }
      TimedLevels fresh = new TimedLevels(context, NanoClock.SYSTEM);
      context.putObject(KEY, fresh);
      return fresh;
    }
  }

  /** As {@link dev.forebay.observe.ControlMXBean#setLevel}. */
  public String set(String name, String levelName, int seconds) {
    Logger logger = existing(name);
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
    if (isOver) { // while the line was logged
      throw new IllegalStateException(
          "the level of %s is not set: Logback was configured anew meanwhile; ask again"
              .formatted(logger.getName()));
    }
    Timed earlier = timed.get(logger.getName());
    Level current = logger.getLevel();
    Level before = earlier != null && earlier.set().equals(current) ? earlier.before() : current;
    timer.start(); // first: without a thread, nothing would end it
    long dueNs = clock.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    timed.put(logger.getName(), new Timed(before, level, dueNs));
    logger.setLevel(level);
    timer.wake();
    return before;
  }

  private Logger existing(String name) {
    boolean isRoot = name.equalsIgnoreCase(Logger.ROOT_LOGGER_NAME);
    Logger logger = isRoot ? context.getLogger(Logger.ROOT_LOGGER_NAME) : context.exists(name);
    if (logger == null) {
      throw new IllegalArgumentException(
          "there is no logger \""
              + name
              + "\": write one that is in use, one of its packages, or ROOT");
    }
    return logger;
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
        levels.put(
            logger.getName(),
            known == null
                ? level.toString()
                : "%s for %d s, then %s"
                    .formatted(level, secondsLeft(known, nowNs), nameOf(known.before())));
      }
    }
    return levels;
  }

  private static long secondsLeft(Timed known, long nowNs) {
    return Math.max(0, TimeUnit.NANOSECONDS.toSeconds(known.dueNs() - nowNs));
  }

  /** Gives back the levels whose time is over. */
  void restoreDue() {
    List<String> done = new ArrayList<>();
    synchronized (this) {
      long nowNs = clock.nanoTime();
      List<String> due =
          timed.entrySet().stream()
              .filter(entry -> entry.getValue().dueNs() - nowNs <= 0)
              .map(Map.Entry::getKey)
              .sorted()
              .toList();
      for (String name : due) {
        done.add(restore(context.getLogger(name), Objects.requireNonNull(timed.remove(name))));
      }
    }
    done.forEach(this::say);
  }

  private static String restore(Logger logger, Timed over) {
    Level current = logger.getLevel();
    if (!over.set().equals(current)) {
      return "level of %s stays %s, which others have set"
          .formatted(logger.getName(), nameOf(current));
    }
    logger.setLevel(over.before());
    return "level of %s is %s again".formatted(logger.getName(), nameOf(over.before()));
  }

  /** How long until the next one is due; {@link Agent#UNTIL_WOKEN} if there is none. */
  synchronized long dueInNs() {
    long nowNs = clock.nanoTime();
    return timed.values().stream()
        .mapToLong(known -> Math.max(0, known.dueNs() - nowNs))
        .min()
        .orElse(Agent.UNTIL_WOKEN);
  }

  private synchronized boolean isOver() {
    return isOver;
  }

  /** Ends all without giving anything back. */
  private void end() {
    synchronized (this) {
      isOver = true;
      timed.clear();
    }
    timer.wake();
  }

  private static String nameOf(@Nullable Level level) {
    return level == null ? "inherited" : level.toString();
  }

  /** As WARN, so that it is in every log. */
  private void say(String text) {
    context.getLogger(LOGGER).warn("Forebay: {}", text);
  }

  /** Logback removes it with each reset. */
  private final class Ends implements LoggerContextListener {

    @Override
    public boolean isResetResistant() {
      return false;
    }

    @Override
    public void onStart(LoggerContext started) {}

    @Override
    public void onReset(LoggerContext reset) {
      end();
    }

    @Override
    public void onStop(LoggerContext stopped) {
      end();
    }

    @Override
    public void onLevelChange(Logger logger, Level level) {}
  }
}
