package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.JsonLines;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.RunInfo;
import dev.forebay.benchmarks.lab.jvm.JvmMeasurement;
import dev.forebay.host.OfflinePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page of a results directory: all that its template is told.
 *
 * @param damaged what could not be read, a sentence each
 */
public record Report(
    String title,
    List<String> damaged,
    List<Verdict> budgets,
    List<Section> sections,
    RunInfo run) {

  /** Name of the page. */
  public static final String PAGE = "report.html";

  /**
   * Reads all measurements of a results directory and writes {@value #PAGE} into it. A line that
   * cannot be read is named there and left out.
   *
   * @return what is to be told to who asked, a sentence a line: such lines, and what was written
   */
  public static List<String> write(Path directory) throws IOException {
    List<String> damaged = new ArrayList<>();
    RunInfo info = info(directory, damaged);
    Report report;
    Path jvm = directory.resolve(JvmMeasurement.FILE_NAME);
    if (Files.exists(jvm)) {
      JvmRuns runs = new JvmRuns(read(jvm, JvmMeasurement.class, JvmMeasurement::run, damaged));
      report = new Report("The JVM's own log", damaged, runs.verdicts(), runs.sections(), info);
    } else {
      LabRuns runs =
          new LabRuns(
              read(
                  directory.resolve(Measurement.FILE_NAME),
                  Measurement.class,
                  run -> List.of(run.scenario(), run.peer(), run.repetition()),
                  damaged));
      List<Verdict> verdicts = new Budgets(runs).verdicts();
      report = new Report("Forebay and its peers", damaged, verdicts, runs.sections(), info);
    }
    String data = JsonMapper.shared().writeValueAsString(report);
    Path page =
        Files.writeString(directory.resolve(PAGE), OfflinePage.of(resource("report.html"), data));
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
        String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        String what = "Line %d of %s could not be read (%s).";
        damaged.add(what.formatted(i + 1, file.getFileName(), reason));
      }
    }
    return List.copyOf(runs.values());
  }

  private static RunInfo info(Path directory, List<String> damaged) {
    try {
      return RunInfo.read(directory);
    } catch (IOException | RuntimeException e) {
      damaged.add("%s could not be read (%s).".formatted(RunInfo.FILE_NAME, e));
      return new RunInfo(Map.of(), Map.of());
    }
  }

  static String resource(String name) throws IOException {
    return OfflinePage.resource(Report.class, name);
  }
}
