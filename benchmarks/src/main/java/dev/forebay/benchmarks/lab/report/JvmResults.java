package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.jvm.JvmFigure;
import dev.forebay.benchmarks.lab.jvm.JvmMeasurement;
import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogWay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All measurements of {@code lab jvm} in a directory. */
record JvmResults(List<JvmMeasurement> measurements, List<String> damaged) {

  /** A number of a run. */
  interface Measure {
    OptionalDouble of(JvmMeasurement run);
  }

  /** Whether a directory has any. */
  static boolean isIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> file.toString().endsWith(JvmMeasurement.SUFFIX));
    }
  }

  /** Reads what can be read. */
  static JvmResults read(Path directory) throws IOException {
    List<JvmMeasurement> measurements = new ArrayList<>();
    List<String> damaged = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file :
          files.filter(path -> path.toString().endsWith(JvmMeasurement.SUFFIX)).sorted().toList()) {
        try {
          measurements.add(JvmMeasurement.read(file));
        } catch (IOException | RuntimeException e) {
          damaged.add("%s could not be read (%s)".formatted(file.getFileName(), e));
        }
      }
    }
    return new JvmResults(List.copyOf(measurements), List.copyOf(damaged));
  }

  /** Runs that count for nothing. */
  long countVoid() {
    return measurements.stream().filter(run -> run.voidBecause() != null).count();
  }

  static Measure figure(JvmFigure figure) {
    return run -> run.figure(figure);
  }

  /** What was run in all ways, in the order of its enums. */
  List<JvmRun> compared(Predicate<JvmRun> which) {
    return measurements.stream()
        .map(one -> one.run().comparable())
        .filter(which)
        .distinct()
        .sorted(
            Comparator.comparing(JvmRun::jdk)
                .thenComparing(JvmRun::collector)
                .thenComparing(JvmRun::fault))
        .toList();
  }

  /** The ways that have a run. */
  List<LogWay> ways() {
    return measurements.stream().map(one -> one.run().way()).distinct().sorted().toList();
  }

  /** The repetitions that count. */
  List<JvmMeasurement> counting(JvmRun compared, LogWay way) {
    return of(compared, way).stream().filter(one -> one.voidBecause() == null).toList();
  }

  Optional<Spread> spread(JvmRun compared, LogWay way, Measure measure) {
    return Spread.of(
        counting(compared, way).stream().map(measure::of).flatMapToDouble(OptionalDouble::stream));
  }

  /** How many repetitions are void and why; empty when all count. */
  String voids(JvmRun compared, LogWay way) {
    List<JvmMeasurement> all = of(compared, way);
    long voids = all.stream().filter(one -> one.voidBecause() != null).count();
    return voids == 0
        ? ""
        : "%d of %d void: %s"
            .formatted(
                voids,
                all.size(),
                all.stream()
                    .map(JvmMeasurement::voidBecause)
                    .filter(Objects::nonNull)
                    .distinct()
                    .collect(Collectors.joining("; ")));
  }

  boolean has(JvmRun compared, LogWay way) {
    return !of(compared, way).isEmpty();
  }

  private List<JvmMeasurement> of(JvmRun compared, LogWay way) {
    return measurements.stream()
        .filter(one -> one.run().way() == way && one.run().comparable().equals(compared))
        .toList();
  }
}
