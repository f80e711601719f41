package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.RunInfo;
import dev.forebay.benchmarks.lab.RunInfo.Fact;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the page and the tables of a results directory.
 *
 * @param opening what a reader sees first, a paragraph each
 */
public record Report(String title, String begin, List<String> opening, List<Section> sections) {

  /** Name of the page. */
  public static final String PAGE = "report.html";

  /** Name of the tables. */
  public static final String TABLES = "report.md";

  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/uPlot";

  /**
   * Reads all measurements of a results directory and writes {@value #PAGE} and {@value #TABLES}
   * into it. A file that cannot be read is named in them and left out.
   *
   * @return what is to be told to who asked, a sentence a line: such files, and what was written
   */
  public static List<String> write(Path directory) throws IOException {
    return JvmResults.isIn(directory) ? writeJvm(directory) : writeLab(directory);
  }

  private static List<String> writeLab(Path directory) throws IOException {
    Results results = Results.read(directory);
    Summary summary = results.summary();
    List<Section> sections = new ArrayList<>(LabSections.of(summary));
    int count = summary.measurements().size();
    sections.add(
        Facts.section(
            results.run(), Facts.runs(results.run(), count, summary.countVoid()), summary));
    return write(
        directory,
        "Forebay and its peers",
        results.run(),
        Opening.verdict(summary),
        results.damaged(),
        sections,
        count);
  }

  private static List<String> writeJvm(Path directory) throws IOException {
    JvmResults results = JvmResults.read(directory);
    RunInfo run = RunInfo.read(directory);
    List<Section> sections = new ArrayList<>();
    sections.add(JvmBudgets.section(results));
    sections.addAll(JvmSections.of(results));
    int count = results.measurements().size();
    sections.add(
        Facts.section(run, Facts.runs(run, count, results.countVoid()), new Summary(List.of())));
    return write(
        directory,
        "The JVM's own log",
        run,
        JvmBudgets.verdict(results),
        results.damaged(),
        sections,
        count);
  }

  private static List<String> write(
      Path directory,
      String title,
      RunInfo run,
      String verdict,
      List<String> damaged,
      List<Section> sections,
      int measurements)
      throws IOException {
    List<String> opening =
        Stream.concat(
                Stream.of(verdict), damaged.stream().map(each -> "Not in this report: " + each))
            .toList();
    Report report = new Report(title, run.get(Fact.BEGIN).orElse(""), opening, sections);
    Path page = Files.writeString(directory.resolve(PAGE), report.page());
    Path tables = Files.writeString(directory.resolve(TABLES), report.markdown());
    List<String> told = new ArrayList<>(damaged);
    told.add("%d measurements: %s and %s".formatted(measurements, page, tables));
    return told;
  }

  /** One file that needs nothing else. */
  private String page() throws IOException {
    String data = JsonMapper.shared().writeValueAsString(this).replace("<", "\\u003c");
    return resource("report.html")
        .replace("/*uplot.css*/", resource(UPLOT + ".min.css"))
        .replace("/*uplot.js*/", resource(UPLOT + ".iife.min.js"))
        .replace("/*data*/", data);
  }

  private String markdown() {
    String date = begin.isEmpty() ? "" : ", " + Table.escape(begin);
    return "## %s%s%n%n".formatted(title, date)
        + opening.stream().map(Table::escape).collect(Collectors.joining("\n\n", "", "\n\n"))
        + "Medians over the repetitions, least and greatest in brackets. Void runs are in no median;\n"
        + "*a time in italics* is that of an appender with void runs only.\n\n"
        + sections.stream().map(Section::markdown).collect(Collectors.joining("\n"));
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Report.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
