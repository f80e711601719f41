package dev.forebay.it.gatling;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table of Gatling's report, read from its {@code index.html}, which is the only place where
 * Gatling writes these numbers so that others can read them. Whole milliseconds.
 */
final class GatlingReport {

  /** The name of the row of all requests together. */
  static final String ALL = "All Requests";

  private static final Pattern ROW = Pattern.compile("<tr id=\"[^\"]+\".*?</tr>", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("class=\"ellipsed-name\">([^<]*)<");
  private static final Pattern CELL =
      Pattern.compile("<td class=\"value \\w+ col-(\\d+)\">([^<]*)</td>");

  /**
   * The requests of one name.
   *
   * @param ok how many were answered as they should
   * @param p50Ms the first of the percentiles that gatling.conf asks for, the others follow
   */
  record Row(
      long requests,
      long ok,
      long ko,
      long p50Ms,
      long p95Ms,
      long p99Ms,
      long p999Ms,
      long maxMs) {

    /** No request had that name. */
    static final Row NONE = new Row(0, 0, 0, 0, 0, 0, 0, 0);
  }

  private GatlingReport() {}

  /** The rows by name. */
  static Map<String, Row> parse(String html) {
    Map<String, Row> rows = new LinkedHashMap<>();
    Matcher row = ROW.matcher(html);
    while (row.find()) {
      Matcher name = NAME.matcher(row.group());
      if (!name.find()) {
        throw new IllegalArgumentException("a row without a name: " + row.group());
      }
      rows.put(name.group(1), row(cells(row.group())));
    }
    if (!rows.containsKey(ALL)) {
      throw new IllegalArgumentException("no row \"" + ALL + "\" but " + rows.keySet());
    }
    return rows;
  }

  private static Map<Integer, Long> cells(String row) {
    Map<Integer, Long> cells = new LinkedHashMap<>();
    Matcher cell = CELL.matcher(row);
    while (cell.find()) {
      // Rates and shares have a fraction; a dash stands where there is nothing to tell.
      String text = cell.group(2).equals("-") ? "0" : cell.group(2);
      cells.put(Integer.valueOf(cell.group(1)), (long) Double.parseDouble(text));
    }
    return cells;
  }

  /** Columns are numbered from the left; the last ones, mean and deviation, tell little. */
  private static Row row(Map<Integer, Long> cells) {
    return new Row(
        column(cells, 2),
        column(cells, 3),
        column(cells, 4),
        column(cells, 8),
        column(cells, 9),
        column(cells, 10),
        column(cells, 11),
        column(cells, 12));
  }

  private static long column(Map<Integer, Long> cells, int number) {
    Long value = cells.get(number);
    if (value == null) {
      throw new IllegalArgumentException("no column " + number + " among " + cells);
    }
    return value;
  }
}
