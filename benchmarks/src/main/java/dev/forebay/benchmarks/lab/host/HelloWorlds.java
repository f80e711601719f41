package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.jvm.JvmFigure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A short program, run many times in a row. Processor time and context switches are those that GNU
 * time tells of; without it they are not measured.
 */
final class HelloWorlds {

  /** How many processes a run is. */
  static final int TIMES = 10;

  private static final Path GNU_TIME = Path.of("/usr/bin/time");
  private static final double NS_PER_SECOND = 1e9;

  private final List<String> command;
  private final Path usage;

  HelloWorlds(List<String> command, Path directory) {
    this.usage = directory.resolve("usage");
    this.command =
        Files.isExecutable(GNU_TIME)
            ? Stream.concat(
                    Stream.of(GNU_TIME.toString(), "-o", usage.toString(), "-f", "%U %S %w %c"),
                    command.stream())
                .toList()
            : command;
  }

  Map<JvmFigure, Double> figures() throws IOException, InterruptedException {
    double[] wallNs = new double[TIMES];
    List<double[]> usages = new ArrayList<>();
    for (int i = 0; i < TIMES; i++) {
      long beginNs = System.nanoTime();
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      int exit = process.waitFor();
      wallNs[i] = System.nanoTime() - beginNs;
      if (exit != 0) {
        throw new IOException("ended with exit code " + exit);
      }
      if (Files.exists(usage)) {
        usages.add(
            Stream.of(Files.readString(usage).strip().split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray());
      }
    }
    Arrays.sort(wallNs);
    Map<JvmFigure, Double> figures = new EnumMap<>(JvmFigure.class);
    figures.put(JvmFigure.WALL_NS, wallNs[TIMES / 2]);
    if (!usages.isEmpty()) {
      figures.put(JvmFigure.CPU_NS, (mean(usages, 0) + mean(usages, 1)) * NS_PER_SECOND);
      figures.put(JvmFigure.VOLUNTARY_SWITCHES, mean(usages, 2));
      figures.put(JvmFigure.INVOLUNTARY_SWITCHES, mean(usages, 3));
    }
    return figures;
  }

  private static double mean(List<double[]> usages, int column) {
    return usages.stream().mapToDouble(usage -> usage[column]).average().orElse(Double.NaN);
  }
}
