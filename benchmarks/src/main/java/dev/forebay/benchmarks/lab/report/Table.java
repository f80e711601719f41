package dev.forebay.benchmarks.lab.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A table of the page and of the Markdown file.
 *
 * @param caption above it; empty for none
 * @param rows as many cells each as there are heads; a text in asterisks is in italics
 */
record Table(String caption, List<String> heads, List<List<String>> rows) {

  String markdown() {
    String title = caption.isEmpty() ? "" : "**" + escape(caption) + "**\n\n";
    return title
        + line(heads)
        + "|---".repeat(heads.size())
        + "|\n"
        + rows.stream().map(Table::line).collect(Collectors.joining());
  }

  private static String line(List<String> cells) {
    return cells.stream().map(Table::escape).collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  /** A text that stays one cell and is not taken for HTML. */
  static String escape(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;").replaceAll("\\R", "; ");
  }
}
