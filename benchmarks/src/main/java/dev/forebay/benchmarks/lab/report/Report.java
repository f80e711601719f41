package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.JsonLines;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.RunInfo;
import dev.forebay.benchmarks.lab.jvm.JvmMeasurement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page of a results directory: all that its template is told.
 *
 * @param damaged what could not be read, a sentence each
 * @param facts of the whole run, a name and a value each
 */
public record Report(
    String title,
    List<String> damaged,
    List<Verdict> budgets,
    List<Section> sections,
    Map<String, String> facts) {

  /** Name of the page. */
  public static final String PAGE = "report.html";

  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/uPlot";

  /**
   * Reads all measurements of a results directory and writes {@value #PAGE} into it. A line that
   * cannot be read is named there and left out.
   *
   * @return what is to be told to who asked, a sentence a line: such lines, and what was written
   */
  public static List<String> write(Path directory) throws IOException {
    List<String> damaged = new ArrayList<>();
    Map<String, String> facts = facts(directory, damaged);
    Report report;
    Path jvm = directory.resolve(JvmMeasurement.FILE_NAME);
    if (Files.exists(jvm)) {
      JvmRuns runs = new JvmRuns(read(jvm, JvmMeasurement.class, JvmMeasurement::run, damaged));
      report = new Report("The JVM's own log", damaged, runs.verdicts(), runs.sections(), facts);
    } else {
      LabRuns runs =
          new LabRuns(
              read(
                  directory.resolve(Measurement.FILE_NAME),
                  Measurement.class,
                  run -> List.of(run.scenario(), run.peer(), run.repetition()),
                  damaged));
      List<Verdict> verdicts = new Budgets(runs).verdicts();
      report = new Report("Forebay and its peers", damaged, verdicts, runs.sections(), facts);
    }
    String data = JsonMapper.shared().writeValueAsString(report).replace("<", "\\u003c");
    Path page =
        Files.writeString(
            directory.resolve(PAGE),
            resource("report.html")
                .replace("/*uplot.css*/", resource(UPLOT + ".min.css"))
                .replace("/*uplot.js*/", resource(UPLOT + ".iife.min.js"))
                .replace("/*data*/", data));
    int runs = report.sections.stream().mapToInt(section -> section.runs().size()).sum();
    List<String> told = new ArrayList<>(damaged);
    told.add("%d measurements: %s".formatted(runs, page));
    return told;
  }

  /** A run that was made again counts as it was made last. */
  private static <T extends Record> List<T> read(
      Path file, Class<T> type, Function<T, Object> which, List<String> damaged)
      throws IOException {
    Map<Object, T> runs = new LinkedHashMap<>();
    List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
    for (int i = 0; i < lines.size(); i++) {
      try {
        T run = JsonLines.parse(lines.get(i), type);
        runs.put(which.apply(run), run);
      } catch (IOException e) {
        damaged.add(
            "Line %d of %s could not be read (%s)."
                .formatted(
                    i + 1, file.getFileName(), e.getMessage().lines().findFirst().orElse("")));
      }
    }
    return List.copyOf(runs.values());
  }

  private static Map<String, String> facts(Path directory, List<String> damaged) {
    Map<String, String> facts = new LinkedHashMap<>();
    try {
      RunInfo info = RunInfo.read(directory);
      info.values()
          .forEach(
              (fact, text) ->
                  facts.put(fact.name().toLowerCase(Locale.ROOT).replace('_', ' '), text));
      info.versions().forEach((set, text) -> facts.put("libraries, " + set, text));
    } catch (IOException | RuntimeException e) {
      damaged.add("%s could not be read (%s).".formatted(RunInfo.FILE_NAME, e));
    }
    return facts;
  }

  static String resource(String name) throws IOException {
    try (InputStream in = Report.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
