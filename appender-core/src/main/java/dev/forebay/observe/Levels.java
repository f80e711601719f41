package dev.forebay.observe;

import ch.qos.logback.classic.spi.ILoggingEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Levels as small indexes, the least important first.
 *
 * @hidden
 */
public final class Levels {

  public static final int COUNT = 5;
  public static final int WARN = 3;
  public static final int INFO = 2;

  private static final Level[] BY_INDEX = {
    Level.TRACE, Level.DEBUG, Level.INFO, Level.WARN, Level.ERROR
  };

  /** Width of a level in Logback's integers: TRACE is 5 000, ERROR 40 000. */
  private static final int LOGBACK_WIDTH = 10_000;

  private Levels() {}

  /** Index of an event's level, 0 for TRACE to 4 for ERROR; a hand-made event may have none. */
  public static int indexOf(ILoggingEvent event) {
    ch.qos.logback.classic.@Nullable Level level = event.getLevel();
    return level == null ? INFO : indexOf(level);
  }

  public static int indexOf(ch.qos.logback.classic.Level level) {
    return clamp(level.toInt() / LOGBACK_WIDTH);
  }

  /** Index of the level with this name in a configuration, in any case; -1 if there is none. */
  public static int indexOf(String name) {
    for (int index = 0; index < COUNT; index++) {
      if (BY_INDEX[index].name().equalsIgnoreCase(name.trim())) {
        return index;
      }
    }
    return -1;
  }

  public static Level of(int index) {
    return BY_INDEX[clamp(index)];
  }

  private static int clamp(int index) {
    return Math.max(0, Math.min(COUNT - 1, index));
  }
}
