package dev.forebay.it.gatling;

import dev.forebay.host.DumpFiles;
import dev.forebay.it.support.LogFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines in all files of the log of an application under load.
 *
 * @param count how many
 * @param torn how many of them are not from a brace to a brace and a line end
 * @param ofOrders how many different ones tell what was done for an order
 * @param doubled how many of these stand there again
 * @param reports what Forebay itself says there
 */
record GatlingLog(long count, long torn, long ofOrders, long doubled, List<String> reports) {

  /** Lines that the application logs for one order. */
  static final int LINES_OF_AN_ORDER = 83;

  private static final Pattern ORDER =
      Pattern.compile("\"message\":\"Order (\\d+) (?:item (\\d+)|(\\w+))");

  private static final Pattern REPORT = Pattern.compile("\"message\":\"(Forebay: [^\"]*)\"");

  /** Stand where the items end. */
  private static final int FIRST_WORD = 80;

  private static final class Reader {
    private long count;
    private long torn;
    private long doubled;
    private final BitSet orders = new BitSet();
    private final List<String> reports = new ArrayList<>();

    void read(byte[] content) {
      int start = 0;
      for (int end = 0; end < content.length; end++) {
        if (content[end] == '\n') {
          line(content, start, end);
          start = end + 1;
        }
      }
      if (start < content.length) {
        count++;
        torn++;
      }
    }

    private void line(byte[] content, int start, int end) {
      count++;
      if (start == end || content[start] != '{' || content[end - 1] != '}') {
        torn++;
        return;
      }
      String text = new String(content, start, end - start, StandardCharsets.ISO_8859_1);
      REPORT.matcher(text).results().forEach(report -> reports.add(report.group(1)));
      Matcher order = ORDER.matcher(text);
      if (order.find()) {
        int bit = Integer.parseInt(order.group(1)) * LINES_OF_AN_ORDER + place(order);
        doubled += orders.get(bit) ? 1 : 0;
        orders.set(bit);
      }
    }

    private static int place(Matcher order) {
      return order.group(2) != null
          ? Integer.parseInt(order.group(2))
          : switch (order.group(3)) {
            case "requested" -> FIRST_WORD;
            case "found" -> FIRST_WORD + 1;
            case "priced", "refused" -> FIRST_WORD + 2;
            default -> throw new AssertionError(order.group());
          };
    }
  }

  static GatlingLog read(Path active) throws IOException {
    Reader reader = new Reader();
    List<Path> dumps = DumpFiles.of(active);
    for (Path path : LogFiles.of(active).paths()) {
      if (!dumps.contains(path)) {
        reader.read(Files.readAllBytes(path));
      }
    }
    return new GatlingLog(
        reader.count,
        reader.torn,
        reader.orders.cardinality(),
        reader.doubled,
        List.copyOf(reader.reports));
  }
}
