package dev.forebay.benchmarks.lab.report;

import java.util.List;

/**
 * A section of the page and of the Markdown file; that has no charts.
 *
 * @param how what was measured, a paragraph each
 * @param folded whether the page shows the tables only when asked
 */
record Section(
    String id,
    String title,
    List<String> how,
    List<Chart> charts,
    List<Table> tables,
    boolean folded) {

  String markdown() {
    StringBuilder out = new StringBuilder("### ").append(title).append("\n\n");
    how.forEach(text -> out.append(Table.escape(text)).append("\n\n"));
    tables.forEach(table -> out.append(table.markdown()).append('\n'));
    return out.toString();
  }
}
