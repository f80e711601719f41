package dev.forebay.benchmarks.lab.report;

import java.util.List;

/** A table with a row a peer; columns without a value are left out. */
final class PeerTable {

  private PeerTable() {}

  static void write(Markup page, String caption, List<PeerRuns> peers, List<Column> columns) {
    List<Column> filled = Column.filled(columns, peers);
    if (filled.isEmpty()) {
      return;
    }
    page.open("div", "class", "wide").open("table", "class", "cards");
    page.element("caption", caption);
    page.open("thead").open("tr").element("th", "appender", "scope", "col");
    for (Column column : filled) {
      String css = "void".equals(column.head()) ? "words" : "";
      page.element("th", column.head(), "scope", "col", "class", css, "title", column.meaning());
    }
    page.close().close().open("tbody");
    for (PeerRuns runs : peers) {
      page.open("tr", "class", runs.peer().isForebay() ? "ours" : "");
      page.open("th", "scope", "row", "class", PeerStyle.css(runs.peer()));
      page.element("i", "", "class", "box").text(Legend.name(runs.peer())).close();
      filled.forEach(column -> cell(page, column.cell().apply(runs), column.head()));
      page.close();
    }
    page.close().close().close();
  }

  private static void cell(Markup page, Cell cell, String head) {
    boolean words = "void".equals(head);
    String css = words ? "words" : cell.doubtful() ? "doubtful" : "";
    page.open("td", "class", css, "data-head", head);
    page.text(cell.text());
    if (cell.doubtful() && !cell.isVoid()) {
      page.element("sup", "void");
    }
    if (!cell.spread().isEmpty()) {
      page.element("small", cell.spread());
    }
    page.close();
  }
}
