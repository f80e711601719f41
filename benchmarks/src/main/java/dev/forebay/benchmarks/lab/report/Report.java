package dev.forebay.benchmarks.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes the page and the tables of a results directory. */
public final class Report {

  /** Name of the page. */
  public static final String PAGE = "report.html";

  /** Name of the tables. */
  public static final String TABLES = "report.md";

  private Report() {}

  /**
   * Reads all measurements of a results directory and writes {@value #PAGE} and {@value #TABLES}
   * into it. A file that cannot be read is named in them and left out.
   *
   * @return what is to be told to who asked, a sentence a line: such files, and what was written
   */
  public static List<String> write(Path directory) throws IOException {
    if (JvmResults.isIn(directory)) {
      return JvmReport.write(directory);
    }
    Results results = Results.read(directory);
    List<String> told = new ArrayList<>(results.damaged());
    Path page = Files.writeString(directory.resolve(PAGE), Page.of(results));
    Path tables = Files.writeString(directory.resolve(TABLES), MarkdownReport.of(results));
    told.add(
        "%d measurements: %s and %s"
            .formatted(results.summary().measurements().size(), page, tables));
    return told;
  }
}
