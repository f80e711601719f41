package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.RunInfo;
import dev.forebay.benchmarks.lab.RunInfo.Fact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the page and the tables of {@code lab jvm}. */
public final class JvmReport {

  private static final String TITLE = "The JVM's own log";

  private JvmReport() {}

  /**
   * Reads all measurements of a results directory and writes {@value Report#PAGE} and {@value
   * Report#TABLES} into it.
   *
   * @return what is to be told to who asked, a sentence a line
   */
  public static List<String> write(Path directory) throws IOException {
    JvmResults results = JvmResults.read(directory);
    RunInfo run = RunInfo.read(directory);
    List<JvmTable> tables =
        Stream.concat(Stream.of(JvmBudgets.table(results)), JvmTable.all(results).stream())
            .toList();
    Map<String, String> facts =
        RunSection.facts(new Results(run, new Summary(List.of()), results.damaged()));
    facts.put(
        "runs",
        "%d, %d of them void"
            .formatted(
                results.measurements().size(),
                results.measurements().stream().filter(one -> one.voidBecause() != null).count()));
    List<String> told = new ArrayList<>(results.damaged());
    Path page = Files.writeString(directory.resolve(Report.PAGE), page(run, tables, facts));
    Path markdown = Files.writeString(directory.resolve(Report.TABLES), markdown(tables, facts));
    told.add("%d measurements: %s and %s".formatted(results.measurements().size(), page, markdown));
    return told;
  }

  private static String page(RunInfo run, List<JvmTable> tables, Map<String, String> facts) {
    Markup page = new Markup();
    page.open("html", "lang", "en").open("head").leaf("meta", "charset", "utf-8");
    page.leaf("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    page.leaf("meta", "name", "color-scheme", "content", "light dark");
    page.element("title", TITLE).style(Stylesheet.TEXT + Stylesheet.NARROW);
    page.close().open("body").open("main", "id", "top").element("h1", TITLE);
    run.get(Fact.BEGIN)
        .ifPresent(begin -> page.element("p", "Latency lab, " + begin, "class", "how"));
    page.element(
        "p",
        "Medians over the repetitions, least and greatest in brackets. A run with a file on a"
            + " frozen disk is void unless it stops somebody for 0.8 times the freeze.",
        "class",
        "how");
    for (JvmTable table : tables) {
      page.element("h2", table.title());
      page.element("p", table.how(), "class", "load");
      table(page, table);
    }
    page.element("h2", "How it was run").open("table", "class", "facts").open("tbody");
    facts.forEach(
        (name, value) ->
            page.open("tr")
                .element("th", name, "scope", "row")
                .element("td", value, "class", "words")
                .close());
    return page.close().close().close().close().close().finish();
  }

  private static void table(Markup page, JvmTable table) {
    page.open("div", "class", "wide").open("table", "class", "cards").open("thead").open("tr");
    table.heads().forEach(head -> page.element("th", head, "scope", "col"));
    page.close().close().open("tbody");
    for (List<String> row : table.rows()) {
      page.open("tr");
      for (int i = 0; i < row.size(); i++) {
        page.element("td", row.get(i), "data-head", table.heads().get(i));
      }
      page.close();
    }
    page.close().close().close();
  }

  private static String markdown(List<JvmTable> tables, Map<String, String> facts) {
    StringBuilder out = new StringBuilder("## " + TITLE + "\n");
    for (JvmTable table : tables) {
      out.append("\n### ").append(table.title()).append("\n\n").append(table.how()).append("\n\n");
      line(out, table.heads());
      out.append("|---".repeat(table.heads().size())).append("|\n");
      table.rows().forEach(row -> line(out, row));
    }
    out.append("\n### How it was run\n\n|  |  |\n|---|---|\n");
    facts.forEach((name, value) -> line(out, List.of(name, value)));
    return out.toString();
  }

  private static void line(StringBuilder out, List<String> cells) {
    out.append(
        cells.stream()
            .map(cell -> cell.replace("|", "\\|").replace("<", "&lt;").replaceAll("\\R", "; "))
            .collect(Collectors.joining(" | ", "| ", " |\n")));
  }
}
