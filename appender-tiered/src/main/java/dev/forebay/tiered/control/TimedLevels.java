package dev.forebay.tiered.control;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggerContextListener;
import dev.forebay.agent.Agent;
import dev.forebay.agent.NanoClock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
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

  /** What names of loggers consist of. */
  private static final Pattern NAME =
      Pattern.compile("[\\w$-]+(\\.[\\w$-]+)*", Pattern.UNICODE_CHARACTER_CLASS);

  private static final int MAX_NAME = 256;

  /** A logger is never removed. */
  private static final int MAX_MADE = 100;

  /** Whether the logger has its level. */
  private enum State {
    /** Not yet: the thread that wants it is about to set it. */
    COMING,
    SET,
    /** Not for long: the timer is giving back the other one. */
    ENDING
  }

  /** A level for a time. */
  private static final class Timed {
    final Logger logger;

    /** The level it had; null if it inherited one. */
    final @Nullable Level before;

    /** The level it has meanwhile. */
    final Level set;

    /** When it gets back the other one. */
    final long dueNs;

    /** Guarded by the levels. */
    State state = State.COMING;

    Timed(Logger logger, @Nullable Level before, Level set, long dueNs) {
      this.logger = logger;
      this.before = before;
      this.set = set;
      this.dueNs = dueNs;
    }
  }

  private final LoggerContext context;
  private final NanoClock clock;
  private final LevelTimer timer;

  /** By name of the logger. Guarded by this. */
  private final Map<String, Timed> timed = new HashMap<>();

  /** Loggers that did not exist before a request. Guarded by this. */
  private int made;

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
    boolean isRoot = name.equalsIgnoreCase(Logger.ROOT_LOGGER_NAME);
    boolean isKnown = isRoot || context.exists(name) != null;
    if (!isKnown && (name.length() > MAX_NAME || !NAME.matcher(name).matches())) {
      throw new IllegalArgumentException(
          "\"" + name + "\" is no name of a logger: write that of a class, of a package, or ROOT");
    }
    Level level = level(levelName);
    if (seconds < 1 || seconds > MAX_SECONDS) {
      throw new IllegalArgumentException(
          "the level is to last %d s: must be 1 to %d".formatted(seconds, MAX_SECONDS));
    }
    if (!isKnown) {
      makeOneMore(name);
    }
    Logger logger = context.getLogger(isRoot ? Logger.ROOT_LOGGER_NAME : name);
    String change = "level of %s set to %s for %d s".formatted(logger.getName(), level, seconds);
    say(change); // before it may silence the line; without the lock, as an appender may block
    return change
        + ", then "
        + nameOf(apply(logger, level, seconds))
        + (isKnown ? "" : "; nothing has used this logger yet, so check its name");
  }

  private synchronized void makeOneMore(String name) {
    if (made >= MAX_MADE) {
      throw new IllegalArgumentException(
          "nothing uses the logger \"%s\", and %d such were made already: name one that exists"
              .formatted(name, MAX_MADE));
    }
    made++;
  }

  /** Returns what the logger gets back; null if it will inherit. */
  private @Nullable Level apply(Logger logger, Level level, int seconds) {
    Timed order = add(logger, level, seconds);
    try {
      give(order, level);
    } finally { // a listener may throw; the logger has the level even so
      setIsDone(order);
    }
    synchronized (this) {
      requireNotOver(logger);
    }
    return order.before;
  }

  private void setIsDone(Timed order) {
    synchronized (this) {
      order.state = State.SET;
    }
    timer.wake();
  }

  private synchronized Timed add(Logger logger, Level level, int seconds) {
    requireNotOver(logger); // the line may have taken long
    Timed earlier = timed.get(logger.getName());
    timer.start(); // first: without a thread, nothing would end it
    long dueNs = clock.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    Timed order = new Timed(logger, before(logger, earlier), level, dueNs);
    timed.put(logger.getName(), order);
    return order;
  }

  private static @Nullable Level before(Logger logger, @Nullable Timed earlier) {
    Level current = logger.getLevel();
    if (earlier == null || (earlier.state == State.SET && !earlier.set.equals(current))) {
      return current; // which others have set
    }
    return earlier.before;
  }

  private void requireNotOver(Logger logger) {
    if (isOver) {
      throw new IllegalStateException(
          "the level of %s is not set: Logback was configured anew meanwhile; ask again"
              .formatted(logger.getName()));
    }
  }

  /**
   * Sets the level of a logger, which runs foreign listeners: without the lock. So another thread
   * may set a newer one in between, and this one looks afterwards which is the newest.
   */
  private void give(Timed order, @Nullable Level level) {
    Level found = order.logger.getLevel();
    Level given;
    Level wanted = level;
    do {
      given = wanted;
      order.logger.setLevel(given);
      wanted = wanted(order, found);
    } while (!Objects.equals(wanted, given));
  }

  /**
   * The level that a logger should have now.
   *
   * @param found the one to be left alone if the context was reset meanwhile
   */
  private synchronized @Nullable Level wanted(Timed order, @Nullable Level found) {
    if (isOver) {
      return found;
    }
    Timed newest = timed.get(order.logger.getName());
    if (newest == null) {
      return order.before;
    }
    return newest.state == State.ENDING ? newest.before : newest.set;
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
                    .formatted(level, secondsLeft(known, nowNs), nameOf(known.before)));
      }
    }
    return levels;
  }

  private static long secondsLeft(Timed known, long nowNs) {
    return Math.max(0, TimeUnit.NANOSECONDS.toSeconds(known.dueNs - nowNs));
  }

  /** Gives back the levels whose time is over. */
  void restoreDue() {
    for (Timed due = takeDue(); due != null; due = takeDue()) {
      String text;
      try {
        text = restore(due);
      } finally {
        remove(due);
      }
      say(text);
    }
  }

  private synchronized @Nullable Timed takeDue() {
    long nowNs = clock.nanoTime();
    Timed due =
        timed.values().stream()
            .filter(known -> known.state == State.SET && known.dueNs - nowNs <= 0)
            .min(Comparator.comparing(known -> known.logger.getName()))
            .orElse(null);
    if (due != null) {
      due.state = State.ENDING;
    }
    return due;
  }

  private synchronized void remove(Timed over) {
    timed.remove(over.logger.getName(), over);
  }

  private String restore(Timed over) {
    String name = over.logger.getName();
    Level current = over.logger.getLevel();
    if (!over.set.equals(current)) {
      return "level of %s stays %s, which others have set".formatted(name, nameOf(current));
    }
    give(over, over.before);
    return "level of %s is %s again".formatted(name, nameOf(over.before));
  }

  /** How long until the next one is due; {@link Agent#UNTIL_WOKEN} if none is set. */
  synchronized long dueInNs() {
    long nowNs = clock.nanoTime();
    return timed.values().stream()
        .filter(known -> known.state == State.SET)
        .mapToLong(known -> Math.max(0, known.dueNs - nowNs))
        .min()
        .orElse(Agent.UNTIL_WOKEN);
  }

  /** Whether there is none. */
  synchronized boolean isEmpty() {
    return timed.isEmpty();
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
