package dev.forebay.tiered.control;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggerContextListener;
import ch.qos.logback.core.status.WarnStatus;
import dev.forebay.agent.NanoClock;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Levels of loggers that were set for a time: one for each logger context, whatever appender was
 * asked. Any thread; a daemon thread that lives while there are such levels gives them back.
 *
 * <p>A level is given back only if it is still the one that was set here: what others set since
 * then stays. A reset of the context, with which each reconfiguration begins, ends all of them; the
 * configuration then sets the levels.
 *
 * <p>One lock makes each change whole, so a listener of levels that blocks holds up the others.
 * What was done is logged without the lock, since an appender may block.
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

  /**
   * A level for a time.
   *
   * @param before the level the logger had; null if it inherited one
   */
  private record Timed(Logger logger, @Nullable Level before, Level set, long dueNs) {}

  private final LoggerContext context;
  private final NanoClock clock;

  /** By name of the logger. Guarded by this. */
  private final Map<String, Timed> timed = new HashMap<>();

  /** Whether a thread gives them back. Guarded by this. */
  private boolean isTimed;

  /** Loggers that did not exist before a request. Guarded by this. */
  private int made;

  /** Whether the context was reset or stopped. Guarded by this. */
  private boolean isOver;

  TimedLevels(LoggerContext context, NanoClock clock) {
    this.context = context;
    this.clock = clock;
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
  private synchronized @Nullable Level apply(Logger logger, Level level, int seconds) {
    if (isOver) { // the line may have taken long
      throw new IllegalStateException(
          "the level of %s is not set: Logback was configured anew meanwhile; ask again"
              .formatted(logger.getName()));
    }
    startTimer(); // first: without a thread, nothing would end it
    Timed earlier = timed.get(logger.getName());
    Level current = logger.getLevel();
    Level before = earlier != null && earlier.set.equals(current) ? earlier.before : current;
    long dueNs = clock.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    timed.put(logger.getName(), new Timed(logger, before, level, dueNs));
    notifyAll();
    logger.setLevel(level); // a listener may throw; the logger has the level even so
    return before;
  }

  /** With the lock. */
  private void startTimer() {
    if (!isTimed) {
      Thread thread = new Thread(null, this::giveBack, "forebay-levels", 0, false);
      thread.setDaemon(true);
      // The application that asked may end before its context does.
      thread.setContextClassLoader(TimedLevels.class.getClassLoader());
      thread.start();
      isTimed = true;
    }
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

  /** The thread's work, until there is no such level. */
  private void giveBack() {
    do {
      try {
        restoreDue();
      } catch (RuntimeException | Error e) { // of a listener or an appender; the next one is due
        warn(e);
      }
    } while (awaitDue());
  }

  private void warn(Throwable failure) {
    try {
      context.getStatusManager().add(new WarnStatus("Giving back a level failed", this, failure));
    } catch (RuntimeException | Error e) { // foreign code, and nowhere left to report to
      return;
    }
  }

  /** Returns whether there are levels. */
  private synchronized boolean awaitDue() {
    long nowNs = clock.nanoTime();
    long waitNs = timed.values().stream().mapToLong(known -> known.dueNs - nowNs).min().orElse(0);
    isTimed = !timed.isEmpty();
    try {
      if (waitNs > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, waitNs);
      }
    } catch (InterruptedException e) {
      // looks now
    }
    return isTimed;
  }

  /** Gives back the levels whose time is over. */
  void restoreDue() {
    for (String text = restoreOne(); text != null; text = restoreOne()) {
      say(text);
    }
  }

  private synchronized @Nullable String restoreOne() {
    long nowNs = clock.nanoTime();
    for (Timed known : timed.values()) {
      if (known.dueNs - nowNs <= 0) {
        timed.remove(known.logger.getName());
        return restore(known);
      }
    }
    return null;
  }

  private static String restore(Timed over) {
    String name = over.logger.getName();
    Level current = over.logger.getLevel();
    if (!over.set.equals(current)) {
      return "level of %s stays %s, which others have set".formatted(name, nameOf(current));
    }
    over.logger.setLevel(over.before);
    return "level of %s is %s again".formatted(name, nameOf(over.before));
  }

  private synchronized boolean isOver() {
    return isOver;
  }

  /** Ends all without giving anything back. */
  private synchronized void end() {
    isOver = true;
    timed.clear();
    notifyAll();
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
