package dev.forebay.benchmarks.lab.jvm;

import dev.forebay.benchmarks.lab.Scenario.Fault;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What a run gave: one properties file, readable by people.
 *
 * @param voidBecause why it counts for nothing; null when it counts
 */
public record JvmMeasurement(
    JvmRun run, Map<JvmFigure, Double> figures, @Nullable String voidBecause) {

  /** End of the names of these files. */
  public static final String SUFFIX = ".jvm.properties";

  private static final String FIGURE = "figure.";

  /** A figure, when it was measured. */
  public OptionalDouble figure(JvmFigure figure) {
    Double value = figures.get(figure);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** Writes it into a directory. */
  public void write(Path directory) throws IOException {
    Properties lines = new Properties();
    lines.setProperty("experiment", run.experiment().name());
    lines.setProperty("jdk", Integer.toString(run.jdk()));
    lines.setProperty("collector", run.collector().name());
    lines.setProperty("fault", run.fault().name());
    lines.setProperty("way", run.way().name());
    lines.setProperty("repetition", Integer.toString(run.repetition()));
    figures.forEach((figure, value) -> lines.setProperty(FIGURE + figure, value.toString()));
    if (voidBecause != null) {
      lines.setProperty("voidBecause", voidBecause);
    }
    Path file = directory.resolve(run.toString().replace(' ', '.') + SUFFIX);
    try (Writer writer = Files.newBufferedWriter(file)) {
      lines.store(writer, null);
    }
  }

  /** Reads one; throws an IOException that names the file when it is none. */
  public static JvmMeasurement read(Path file) throws IOException {
    Properties lines = load(file);
    try {
      JvmRun run =
          new JvmRun(
              Experiment.valueOf(lines.getProperty("experiment", "")),
              Integer.parseInt(lines.getProperty("jdk", "")),
              Collector.valueOf(lines.getProperty("collector", "")),
              Fault.valueOf(lines.getProperty("fault", "")),
              LogWay.valueOf(lines.getProperty("way", "")),
              Integer.parseInt(lines.getProperty("repetition", "")));
      return new JvmMeasurement(run, figures(lines, FIGURE), lines.getProperty("voidBecause"));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is not a measurement: " + e.getMessage(), e);
    }
  }

  /** The figures that a program left. */
  public static Map<JvmFigure, Double> left(Path file) throws IOException {
    return figures(load(file), "");
  }

  private static Map<JvmFigure, Double> figures(Properties lines, String prefix) {
    Map<JvmFigure, Double> figures = new EnumMap<>(JvmFigure.class);
    for (JvmFigure figure : JvmFigure.values()) {
      String value = lines.getProperty(prefix + figure);
      if (value != null) {
        figures.put(figure, Double.valueOf(value));
      }
    }
    return figures;
  }

  private static Properties load(Path file) throws IOException {
    Properties lines = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      lines.load(reader);
    }
    return lines;
  }
}
