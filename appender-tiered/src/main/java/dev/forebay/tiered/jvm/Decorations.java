package dev.forebay.tiered.jvm;

import dev.forebay.observe.Levels;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a line of the JVM's log begins with: decorations, each in brackets and padded with
 * blanks, then a blank and the message. For one thread.
 */
public final class Decorations {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSxx", Locale.ROOT);

  /** In the order of {@link Levels}. */
  private static final List<String> LEVELS = List.of("trace", "debug", "info", "warning", "error");

  private static final int MILLIS = 3;
  private static final int NANOS = 9;

  private final Decorator[] expected;
  private final JvmTimes times;

  private @Nullable Instant time;
  private int level;
  private String tags = "";
  private int messageStart;

  /**
   * @param list the decorators, as in {@code -Xlog}
   * @param nanoClock as {@code System.nanoTime}
   */
  public Decorations(String list, InstantSource clock, LongSupplier nanoClock) {
    this(list, JvmTimes.ofThisJvm(clock, nanoClock));
  }

  Decorations(String list, JvmTimes times) {
    this.expected = Decorator.parse(list).toArray(Decorator[]::new);
    this.times = times;
  }

  /** What a list lacks to tell time, level and tags of a line. */
  static List<String> missing(String list) {
    Set<Decorator> present = Decorator.parse(list);
    List<String> missing = new ArrayList<>();
    if (present.stream().noneMatch(Decorator.TIMES::contains)) {
      missing.add("time");
    }
    if (!present.contains(Decorator.LEVEL)) {
      missing.add("level");
    }
    if (!present.contains(Decorator.TAGS)) {
      missing.add("tags");
    }
    return missing;
  }

  /**
   * Reads a line without its end.
   *
   * @return whether it begins with the decorations; if not, all of it is the message
   */
  public boolean read(byte[] bytes, int start, int end) {
    forget();
    messageStart = start;
    int at = start;
    for (Decorator decorator : expected) {
      int close = at < end && bytes[at] == '[' ? indexOf(bytes, ']', at, end) : end;
      if (close == end || !isTaken(decorator, text(bytes, at + 1, close))) {
        forget();
        return false;
      }
      at = close + 1;
    }
    messageStart = at < end && bytes[at] == ' ' && expected.length > 0 ? at + 1 : at;
    return true;
  }

  private void forget() {
    time = null;
    level = Levels.INFO;
    tags = "";
  }

  private static int indexOf(byte[] bytes, char wanted, int from, int end) {
    int at = from;
    while (at < end && bytes[at] != wanted) {
      at++;
    }
    return at;
  }

  private static String text(byte[] bytes, int start, int end) {
    return new String(bytes, start, end - start, StandardCharsets.UTF_8).stripTrailing();
  }

  private boolean isTaken(Decorator decorator, String value) {
    if (Decorator.TIMES.contains(decorator)) {
      Instant told = instant(decorator, value);
      time = time == null || isOfDay(decorator) ? told : time;
      return told != null;
    }
    if (decorator == Decorator.LEVEL) {
      level = LEVELS.indexOf(value);
      return level >= 0;
    }
    if (decorator == Decorator.TAGS) {
      tags = value;
      return !value.isEmpty();
    }
    return true;
  }

  /** Whether it tells the time of day, which needs no other clock to be right. */
  private static boolean isOfDay(Decorator decorator) {
    return decorator == Decorator.TIME
        || decorator == Decorator.UTC_TIME
        || decorator == Decorator.TIME_MILLIS;
  }

  private @Nullable Instant instant(Decorator decorator, String value) {
    try {
      return switch (decorator) {
        case TIME, UTC_TIME -> OffsetDateTime.parse(value, TIME).toInstant();
        case TIME_MILLIS -> after(Instant.EPOCH, value, "ms", MILLIS);
        case TIME_NANOS -> after(times.nanosZero(), value, "ns", NANOS);
        case UPTIME -> after(times.uptimeZero(), value, "s", 0);
        case UPTIME_MILLIS -> after(times.uptimeZero(), value, "ms", MILLIS);
        case UPTIME_NANOS -> after(times.uptimeZero(), value, "ns", NANOS);
        default -> null;
      };
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      return null; // not of this form
    }
  }

  private static @Nullable Instant after(Instant zero, String value, String unit, int digits) {
    if (!value.endsWith(unit)) {
      return null;
    }
    String number = value.substring(0, value.length() - unit.length()).replace(',', '.'); // locales
    BigDecimal seconds = new BigDecimal(number).movePointLeft(digits);
    return zero.plusNanos(seconds.movePointRight(NANOS).longValueExact());
  }

  /** When the line was written; null if it does not say. */
  public @Nullable Instant time() {
    return time;
  }

  /** The level as {@link Levels} counts; INFO if the line does not say. */
  public int level() {
    return level;
  }

  /** The tags, separated by commas; "" if the line does not say. */
  public String tags() {
    return tags;
  }

  /** Where the message begins. */
  public int messageStart() {
    return messageStart;
  }
}
