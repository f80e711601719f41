package dev.forebay.it.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A plain text table: the first column flush left, the others flush right. */
final class Table {

  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a row; missing cells at its end are empty. */
  void add(String... cells) {
    rows.add(Arrays.asList(cells));
  }

  /** Adds a line that separates the rows above from those below. */
  void addRule() {
    rows.add(List.of());
  }

  /** The lines, without blanks at their ends. */
  List<String> lines() {
    int[] widths = widths();
    int total = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1);
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      lines.add(row.isEmpty() ? "-".repeat(total) : line(row, widths));
    }
    return lines;
  }

  private int[] widths() {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int column = 0; column < row.size(); column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    return widths;
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.size(); column++) {
      String cell = row.get(column);
      String padding = " ".repeat(widths[column] - cell.length());
      line.append(column == 0 ? cell + padding : GAP + padding + cell);
    }
    return line.toString().stripTrailing();
  }
}
