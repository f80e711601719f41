package dev.forebay.jvm;

import dev.forebay.observe.Levels;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a line of the JVM's log begins with: decorations, each in brackets and padded with
 * blanks, then a blank and the message. The further lines of a message have none, or since JDK 22 a
 * bracket of blanks, and are as the first one is. For one thread.
 */
final class Decorations {

  /** All decorators, in the order in which the JVM writes them, whatever the configured order. */
  private static final String[] NAMES =
      ("time t utctime utc uptime u timemillis tm uptimemillis um timenanos tn uptimenanos un"
              + " hostname hn pid p tid ti level l tags tg")
          .split(" ");

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSxx", Locale.ROOT);

  /** Names of levels, in the order of {@link Levels}. */
  private static final List<String> LEVELS = List.of("trace", "debug", "info", "warning", "error");

  private static final int MILLIS = 3;
  private static final int NANOS = 9;

  private final List<String> expected = new ArrayList<>();
  private final Instant jvmStart;

  /** When the message was written; null if it does not say. */
  @Nullable Instant time;

  /** As {@link Levels} counts; INFO if the line does not say. */
  int level = Levels.INFO;

  /** The tags, separated by commas; "" if the line has none. */
  String tags = "";

  /** Where in the line the message begins. */
  int messageStart;

  /**
   * The decorations of this JVM.
   *
   * @param list the decorators, as in {@code -Xlog}
   */
  Decorations(String list) {
    this(
        list,
        InstantSource.system()
            .instant()
            .minusMillis(ManagementFactory.getRuntimeMXBean().getUptime()));
  }

  Decorations(String list, Instant jvmStart) {
    List<String> names = List.of(list.split(",", -1));
    for (int i = 0; i < NAMES.length; i += 2) {
      if (names.contains(NAMES[i]) || names.contains(NAMES[i + 1])) {
        expected.add(NAMES[i]);
      }
    }
    this.jvmStart = jvmStart;
  }

  /**
   * Reads a line without its end.
   *
   * @return whether it begins with the decorations; if not, it belongs to the message before
   */
  boolean read(String line) {
    Instant timeBefore = time;
    int levelBefore = level;
    String tagsBefore = tags;
    time = null;
    level = Levels.INFO;
    tags = "";
    int at = 0;
    for (String decorator : expected) {
      int close = line.startsWith("[", at) ? line.indexOf(']', at) : -1;
      if (close < 0 || !isTaken(decorator, line.substring(at + 1, close).stripTrailing())) {
        time = timeBefore;
        level = levelBefore;
        tags = tagsBefore;
        int end = line.indexOf("] ");
        boolean isBlank = line.startsWith("[ ") && end > 0 && line.substring(1, end).isBlank();
        messageStart = isBlank ? end + 2 : 0;
        return false;
      }
      at = close + 1;
    }
    messageStart = line.startsWith(" ", at) && at > 0 ? at + 1 : at;
    return true;
  }

  private boolean isTaken(String decorator, String value) {
    try {
      switch (decorator) {
        case "time", "utctime" -> keep(OffsetDateTime.parse(value, TIME).toInstant());
        case "uptime" -> keep(after(jvmStart, value, "s", 0));
        case "timemillis" -> time = after(Instant.EPOCH, value, "ms", MILLIS); // no clock but that
        case "uptimemillis" -> keep(after(jvmStart, value, "ms", MILLIS));
        case "uptimenanos" -> keep(after(jvmStart, value, "ns", NANOS));
        case "level" -> level = LEVELS.indexOf(value);
        case "tags" -> tags = value;
        default -> {}
      }
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      return false; // not of this form
    }
    return level >= 0 && !(decorator.equals("tags") && value.isEmpty());
  }

  private void keep(Instant told) {
    time = time == null ? told : time;
  }

  private static Instant after(Instant zero, String value, String unit, int digits) {
    if (!value.endsWith(unit)) {
      throw new NumberFormatException(value);
    }
    String number = value.substring(0, value.length() - unit.length()).replace(',', '.'); // locales
    return zero.plusNanos(new BigDecimal(number).movePointRight(NANOS - digits).longValueExact());
  }
}
