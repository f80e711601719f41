package dev.forebay.benchmarks.lab.jvm;

import dev.forebay.benchmarks.lab.Repetition;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What a run gave.
 *
 * @param voidBecause why it counts for nothing; null when it counts
 */
public record JvmMeasurement(
    JvmRun run, Map<JvmFigure, Double> figures, @Nullable String voidBecause)
    implements Repetition {

  /** Name of the file of the results directory that has a line for each. */
  public static final String FILE_NAME = "jvm-runs.jsonl";

  /** A figure, when it was measured. */
  public OptionalDouble figure(JvmFigure figure) {
    Double value = figures.get(figure);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** The figures that a program left. */
  public static Map<JvmFigure, Double> left(Path file) throws IOException {
    Properties lines = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      lines.load(reader);
    }
    Map<JvmFigure, Double> figures = new EnumMap<>(JvmFigure.class);
    for (JvmFigure figure : JvmFigure.values()) {
      String value = lines.getProperty(figure.name());
      if (value != null) {
        figures.put(figure, Double.valueOf(value));
      }
    }
    return figures;
  }
}
