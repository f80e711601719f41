package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.MeasurementFile;
import dev.forebay.benchmarks.lab.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a results directory holds.
 *
 * @param run facts of the run; empty when the file is missing or damaged
 * @param summary all measurements that could be read
 * @param damaged a sentence for each file that could not
 */
record Results(RunInfo run, Summary summary, List<String> damaged) {

  /** Reads what can be read. */
  static Results read(Path directory) throws IOException {
    List<String> damaged = new ArrayList<>();
    RunInfo run = run(directory, damaged);
    List<Measurement> measurements = new ArrayList<>();
    for (Path file : files(directory)) {
      try {
        measurements.add(MeasurementFile.read(file));
      } catch (IOException | RuntimeException e) {
        // A broken encoding makes the decoders throw many kinds of exceptions.
        damaged.add(sentence(file, e));
      }
    }
    return new Results(run, new Summary(List.copyOf(measurements)), List.copyOf(damaged));
  }

  private static RunInfo run(Path directory, List<String> damaged) {
    try {
      return RunInfo.read(directory);
    } catch (IOException | RuntimeException e) {
      damaged.add(sentence(directory.resolve(RunInfo.FILE_NAME), e));
      return new RunInfo(Map.of(), Map.of());
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(MeasurementFile.SUFFIX))
          .sorted()
          .toList();
    }
  }

  private static String sentence(Path file, Exception e) {
    return "%s could not be read (%s)".formatted(file.getFileName(), e);
  }
}
