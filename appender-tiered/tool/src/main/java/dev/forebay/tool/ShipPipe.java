package dev.forebay.tool;

import dev.forebay.observe.Printable;
import dev.forebay.tiered.apart.ShippedLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a child that ships for another user and its parent say to each other: the parent asks, a
 * line for each question, and the child answers with lines that begin with {@link #MARK}. Its other
 * lines are messages. The child's user may have written either.
 */
final class ShipPipe {

  static final char MARK = '\u0001';
  static final String QUESTION = "logs";
  static final String END = MARK + "end";

  private static final String DRAINED = MARK + "drained";
  private static final String LOG = MARK + "log\t";
  private static final int FIELDS = 9;

  private ShipPipe() {}

  /** Answers until the parent ends. The child's thread for it. */
  static void answer(InputStream questions, PrintWriter out, Shipping shipping) throws IOException {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(questions, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals(QUESTION)) {
          if (shipping.isDrained()) { // before the logs, which may be more by then
            out.println(DRAINED);
          }
          shipping.logs().forEach(log -> out.println(LOG + line(log)));
          out.println(END);
        }
      }
    }
  }

  private static String line(ShippedLog log) {
    return String.join(
        "\t",
        log.state().name(),
        Long.toString(log.shipped()),
        Long.toString(log.lost()),
        Long.toString(log.refused()),
        Long.toString(log.waiting()),
        Long.toString(log.longestWaitMillis()),
        Printable.text(log.directory().toString()),
        Printable.text(log.log()),
        Printable.text(log.fault()));
  }

  static boolean saysDrained(String line) {
    return line.equals(DRAINED);
  }

  /**
   * The log that a line of an answer is about; null if none of these directories can have it.
   *
   * @param own the directories of the child's user
   */
  static @Nullable ShippedLog log(String line, List<Path> own) {
    if (!line.startsWith(LOG)) {
      return null;
    }
    String[] fields = line.substring(LOG.length()).split("\t", -1);
    if (fields.length != FIELDS) {
      return null;
    }
    try {
      Path directory = Path.of(fields[6]).normalize();
      return own.stream().noneMatch(user -> user.equals(directory.getParent()))
          ? null
          : new ShippedLog(
              Printable.text(fields[7]),
              directory,
              ShippedLog.State.valueOf(fields[0]),
              number(fields[1]),
              number(fields[2]),
              number(fields[3]),
              number(fields[4]),
              number(fields[5]),
              Printable.text(fields[8]));
    } catch (IllegalArgumentException e) { // no number, no state, no path
      return null;
    }
  }

  /** At most this many, so that sums are numbers too. */
  private static long number(String text) {
    return Math.max(0, Math.min(Long.parseLong(text), 1L << 53));
  }
}
