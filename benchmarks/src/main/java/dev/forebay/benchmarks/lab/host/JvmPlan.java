package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.jvm.Collector;
import dev.forebay.benchmarks.lab.jvm.Experiment;
import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogWay;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What {@code lab jvm} was asked for. Words choose among experiments, JDKs, collectors, disks and
 * ways; of what no word speaks, all are taken.
 *
 * @param runs in order: repetitions outermost and ways innermost, as in {@link Plan}; the way that
 *     comes first changes from repetition to repetition
 * @param results where results go
 * @param logs below which the measured JVMs log
 */
record JvmPlan(List<JvmRun> runs, int repetitions, Path results, Path logs) {

  static final String USAGE =
      "lab jvm [-r repetitions] [-o results directory] [-d log directory] [word]...";

  private static final List<Integer> WANTED_JDKS = List.of(17, 25);

  /** Reads the arguments; throws an IllegalArgumentException that says what exists instead. */
  static JvmPlan parse(List<String> arguments, Set<Integer> jdks, Path defaultResults) {
    int repetitions = 3;
    Path results = defaultResults;
    Path logs = null;
    Set<String> words = new LinkedHashSet<>();
    Iterator<String> rest = arguments.iterator();
    while (rest.hasNext()) {
      String word = rest.next();
      switch (word) {
        case "-r" -> repetitions = CommandLine.count(CommandLine.valueOf(word, rest));
        case "-o" -> results = Path.of(CommandLine.valueOf(word, rest));
        case "-d" -> logs = Path.of(CommandLine.valueOf(word, rest));
        default -> words.add(word);
      }
    }
    List<Integer> versions = WANTED_JDKS.stream().filter(jdks::contains).toList();
    requireKnown(words, versions);
    return new JvmPlan(
        runs(repetitions, words, versions), repetitions, results, logs == null ? results : logs);
  }

  private static List<JvmRun> runs(int repetitions, Set<String> words, List<Integer> versions) {
    List<LogWay> chosenWays = chosen(words, List.of(LogWay.values()), LogWay::id);
    List<Fault> faults = chosen(words, faults(), JvmRun::id);
    List<Collector> collectors = chosen(words, List.of(Collector.values()), Collector::id);
    List<JvmRun> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (Experiment experiment : chosen(words, List.of(Experiment.values()), Experiment::id)) {
        List<LogWay> ways = in(experiment.ways(), chosenWays);
        for (int jdk : chosen(words, versions, String::valueOf)) {
          for (Collector collector : in(experiment.collectors(), collectors)) {
            for (Fault fault : in(experiment.faults(), faults)) {
              for (int i = 0; i < ways.size(); i++) {
                LogWay way = ways.get((i + repetition - 1) % ways.size());
                runs.add(new JvmRun(experiment, jdk, collector, fault, way, repetition));
              }
            }
          }
        }
      }
    }
    return List.copyOf(runs);
  }

  private static <T> List<T> in(Set<T> possible, List<T> chosen) {
    return chosen.stream().filter(possible::contains).toList();
  }

  private static <T> List<T> chosen(Set<String> words, List<T> all, Function<T, String> id) {
    List<T> chosen = all.stream().filter(one -> words.contains(id.apply(one))).toList();
    return chosen.isEmpty() ? all : chosen;
  }

  private static List<Fault> faults() {
    return Stream.of(Experiment.values())
        .flatMap(experiment -> experiment.faults().stream())
        .distinct()
        .toList();
  }

  private static void requireKnown(Set<String> words, List<Integer> versions) {
    Set<String> known =
        Stream.of(
                Stream.of(Experiment.values()).map(Experiment::id),
                versions.stream().map(String::valueOf),
                Stream.of(Collector.values()).map(Collector::id),
                faults().stream().map(JvmRun::id),
                Stream.of(LogWay.values()).map(LogWay::id))
            .flatMap(each -> each)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    for (String word : words) {
      if (!known.contains(word)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "%s is none of %s. Usage: %s", word, String.join(", ", known), USAGE));
      }
    }
  }
}
