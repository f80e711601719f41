package dev.forebay.it.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

/** What a test counted, for the record: told on the console and kept beside the test reports. */
public final class Figures {

  private Figures() {}

  /** Adds a line to a file in {@code target}. */
  public static void record(String file, String format, Object... arguments) throws IOException {
    String line = String.format(Locale.ROOT, format, arguments);
    System.out.println(line);
    Path record = Path.of("target", file);
    Files.createDirectories(record.resolveSibling(""));
    Files.writeString(record, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** The least, the median and the most of some counts. */
  public static String distribution(List<Long> counts) {
    List<Long> sorted = counts.stream().sorted().toList();
    int last = sorted.size() - 1;
    return last < 0
        ? "none"
        : "least %d, median %d, most %d of %d"
            .formatted(sorted.get(0), sorted.get(last / 2), sorted.get(last), last + 1);
  }
}
