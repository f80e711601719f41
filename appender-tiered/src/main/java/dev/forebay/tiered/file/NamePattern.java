package dev.forebay.tiered.file;

import ch.qos.logback.core.Context;
import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.rolling.helper.DateTokenConverter;
import ch.qos.logback.core.rolling.helper.FileFilterUtil;
import ch.qos.logback.core.rolling.helper.FileNamePattern;
import java.io.File;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.WeekFields;
import java.util.ArrayList;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A pattern of Logback's for the names of files that means the same in another process: absolute,
 * and with a time zone in each {@code %d}. Where that has none, Logback takes the default one of
 * its process.
 *
 * @param text the pattern
 * @param dates the date patterns in it
 */
record NamePattern(String text, List<String> dates) {

  /** Letters of a date pattern whose text, or number, depends on the locale; also in literals. */
  private static final Pattern OF_LOCALE = Pattern.compile("M{3}|L{3}|[Qq]{3}|[GYwWEecaBzvO]");

  /** Names are compared at so many moments, half a day apart: each day of a year, and its noon. */
  private static final int MOMENTS = 2 * 366;

  private static final long HALF_DAY_SECONDS = 12 * 3600;
  private static final Instant SOME_DAY = Instant.parse("2024-01-01T00:30:00Z");
  private static final int SOME_INDEX = 42;
  private static final int SOME_MOMENTS = 12;

  /**
   * Of a pattern of this process.
   *
   * @throws IllegalArgumentException if names would be others; says why
   */
  static NamePattern of(String configured, ZoneId zone, String directory, Context context) {
    String pattern = FileFilterUtil.slashify(configured).strip();
    boolean isAbsolute = new File(pattern).isAbsolute();
    String prefix = isAbsolute ? "" : FileFilterUtil.slashify(directory) + "/";
    Scan scan = new Scan(prefix + pattern, zone);
    NamePattern known = new NamePattern(scan.whole.toString(), List.copyOf(scan.dates));
    List<String> expected = names(configured, prefix, context);
    List<String> names;
    try {
      names = names(known.text, "", context);
    } catch (NumberFormatException e) { // a directory whose name has a percent sign
      names = List.of(e.getMessage());
    }
    if (!names.equals(expected)) {
      throw new IllegalArgumentException(
          "<fileNamePattern> %s cannot be described to another process, which would write %s instead of %s: %s"
              .formatted(configured, names.get(0), expected.get(0), DescribedFiles.INSIDE));
    }
    return known;
  }

  private static List<String> names(String pattern, String prefix, Context context) {
    FileNamePattern of = new FileNamePattern(pattern, context);
    return IntStream.range(0, SOME_MOMENTS)
        .mapToObj(
            moment ->
                prefix
                    + of.convertMultipleArguments(
                        SOME_DAY.plusSeconds(61L * moment * HALF_DAY_SECONDS), SOME_INDEX))
        .toList();
  }

  /** Whether names depend on the locale of the process. */
  boolean hasLocale() {
    return dates.stream().anyMatch(date -> OF_LOCALE.matcher(date).find());
  }

  /** Whether two locales make the same names, and the same weeks. */
  boolean isSameIn(Locale one, Locale other) {
    return dates.stream().allMatch(date -> isSame(date, one, other))
        && WeekFields.of(one).equals(WeekFields.of(other))
        && new GregorianCalendar(one).getFirstDayOfWeek()
            == new GregorianCalendar(other).getFirstDayOfWeek();
  }

  private static boolean isSame(String date, Locale one, Locale other) {
    DateTimeFormatter format = DateTimeFormatter.ofPattern(date).withZone(ZoneId.of("UTC"));
    DateTimeFormatter ours = format.withLocale(one);
    DateTimeFormatter theirs = format.withLocale(other);
    for (int moment = 0; moment < MOMENTS; moment++) {
      Instant when = SOME_DAY.plusSeconds(moment * HALF_DAY_SECONDS);
      if (!ours.format(when).equals(theirs.format(when))) {
        return false;
      }
    }
    return true;
  }

  /** Goes through a pattern as Logback's scanner does, and adds the zone where none is. */
  private static final class Scan {
    final StringBuilder whole = new StringBuilder();
    final List<String> dates = new ArrayList<>();
    private final String pattern;
    private final String zone;

    Scan(String pattern, ZoneId zone) {
      this.pattern = pattern;
      this.zone = ", " + zone.getId() + "}";
      int at = 0;
      for (int token = pattern.indexOf('%'); token >= 0; token = pattern.indexOf('%', at)) {
        int word = token + 1;
        while (word < pattern.length() && !Character.isJavaIdentifierStart(pattern.charAt(word))) {
          word++; // how it is to be formatted
        }
        int end = word;
        while (end < pattern.length() && Character.isJavaIdentifierPart(pattern.charAt(end))) {
          end++;
        }
        whole.append(pattern, at, end);
        at = end;
        if (pattern.substring(word, end).equals(DateTokenConverter.CONVERTER_KEY)) {
          at = date(end);
        }
      }
      whole.append(pattern, at, pattern.length());
    }

    /** Adds the options of a date token; returns where they end. */
    private int date(int from) {
      if (from == pattern.length() || pattern.charAt(from) != '{') {
        dates.add(CoreConstants.DAILY_DATE_PATTERN);
        whole.append('{').append(CoreConstants.DAILY_DATE_PATTERN).append(zone);
        return from;
      }
      List<String> options = new ArrayList<>();
      int end = options(from + 1, options);
      String known = pattern.substring(from, end - 1);
      boolean isEmpty = options.isEmpty();
      dates.add(isEmpty ? CoreConstants.DAILY_DATE_PATTERN : options.get(0));
      boolean hasZone =
          options.stream()
              .skip(1)
              .anyMatch(option -> !option.equalsIgnoreCase(DateTokenConverter.AUXILIARY_TOKEN));
      whole
          .append(known)
          .append(isEmpty ? CoreConstants.DAILY_DATE_PATTERN : "")
          .append(hasZone ? "}" : zone);
      return end;
    }

    /** Splits options at commas, but for those in quotes; returns where the brace ends them. */
    private int options(int from, List<String> options) {
      StringBuilder option = new StringBuilder();
      char quote = 0;
      boolean isBegun = false;
      for (int i = from; i < pattern.length(); i++) {
        char c = pattern.charAt(i);
        boolean isEnd = quote == 0 && (c == '}' || c == ',');
        if (quote != 0 && c == quote) {
          options.add(option.toString());
          option.setLength(0);
          quote = 0;
        } else if (isEnd && isBegun) {
          options.add(option.toString().trim());
          option.setLength(0);
          isBegun = false;
        } else if (quote == 0 && !isBegun && (c == '\'' || c == '"')) {
          quote = c;
        } else if (quote != 0 || isBegun || !isEnd && !Character.isWhitespace(c)) {
          option.append(c);
          isBegun = quote == 0;
        }
        if (isEnd && c == '}') {
          return i + 1;
        }
      }
      throw new IllegalArgumentException("<fileNamePattern> has an open brace: " + pattern);
    }
  }
}
