package dev.forebay.benchmarks.lab.jvm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A log that was carried to a disk, beside all that the JVM wrote. Threads overtake each other
 * between two outputs, so lines are compared whatever their order.
 *
 * @param missingBytes what the JVM wrote in the measured time or after it and the log has not
 * @param announcedBytes bytes that the log itself says are missing
 * @param foreign lines of the log that the JVM did not write, or not so often
 */
public record CarriedLog(long missingBytes, long announcedBytes, List<String> foreign) {

  private static final Pattern GAP =
      Pattern.compile("\\[forebay\\] (?:at least )?(\\d+) bytes of the JVM's log .*");
  private static final String BEGIN = "[forebay] the JVM's log begins here: ";
  private static final Pattern TIME = Pattern.compile("\\[(\\d+)ns\\].*");

  /** Lines and how often they are there. */
  private static final class Lines {

    private final Map<String, Integer> counts = new HashMap<>();

    void add(String line) {
      counts.merge(line, 1, Integer::sum);
    }

    /** Whether it was there. */
    boolean take(String line) {
      int count = counts.getOrDefault(line, 0);
      if (count > 0) {
        counts.put(line, count - 1);
      }
      return count > 0;
    }

    /** A byte is a character. */
    long bytes() {
      return counts.entrySet().stream()
          .mapToLong(line -> (line.getKey().length() + 1L) * line.getValue())
          .sum();
    }
  }

  /**
   * Compares them.
   *
   * @param originNs begin of the measured time; what was written before it may be missing
   */
  public static CarriedLog compare(Path log, Path truth, long originNs) throws IOException {
    Lines early = new Lines();
    Lines required = new Lines();
    Lines lines = early;
    for (String line : read(truth)) {
      Matcher time = TIME.matcher(line); // a line without one belongs to that before it
      if (time.matches()) {
        lines = Long.parseLong(time.group(1)) < originNs ? early : required;
      }
      lines.add(line);
    }
    long announced = 0;
    List<String> foreign = new ArrayList<>();
    for (String line : read(log)) {
      Matcher gap = GAP.matcher(line);
      if (gap.matches()) {
        announced += Long.parseLong(gap.group(1));
      } else if (!line.startsWith(BEGIN) && !required.take(line) && !early.take(line)) {
        foreign.add(line);
      }
    }
    return new CarriedLog(required.bytes(), announced, List.copyOf(foreign));
  }

  private static List<String> read(Path file) throws IOException {
    return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
  }
}
