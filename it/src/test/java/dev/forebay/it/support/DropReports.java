package dev.forebay.it.support;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the appender's own lines in the log say about drops. */
public final class DropReports {

  /** A reason and its levels, as a report of drops has them: {@code SHED 5 (DEBUG 3, INFO 2)}. */
  private static final Pattern REASON = Pattern.compile("([A-Z_]+) \\d+ \\(([^)]*)\\)");

  private static final Pattern LEVEL = Pattern.compile("([A-Z]+) (\\d+)");

  private DropReports() {}

  /** All reports together: reason to level to count. */
  public static Map<String, Map<String, Long>> told(List<String> lines) {
    Map<String, Map<String, Long>> told = new TreeMap<>();
    for (String line : lines) {
      Matcher reason = REASON.matcher(line);
      while (line.startsWith("Forebay: ") && reason.find()) {
        Map<String, Long> levels = told.computeIfAbsent(reason.group(1), r -> new TreeMap<>());
        Matcher level = LEVEL.matcher(reason.group(2));
        while (level.find()) {
          levels.merge(level.group(1), Long.valueOf(level.group(2)), Long::sum);
        }
      }
    }
    return told;
  }

  /** How many events of a level they count, for all reasons. */
  public static long of(String level, Map<String, Map<String, Long>> told) {
    return told.values().stream().mapToLong(levels -> levels.getOrDefault(level, 0L)).sum();
  }
}
