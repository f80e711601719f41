package dev.forebay.benchmarks;

import dev.forebay.benchmarks.lab.host.Lab;
import dev.forebay.benchmarks.lab.report.Report;
import dev.forebay.benchmarks.many.ManyAppenders;
import dev.forebay.benchmarks.many.ManyJvms;
import dev.forebay.pipeline.WakeUps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * {@code lab ...} runs the latency lab, {@code report <directory>} writes its page again, {@code
 * many-appenders} measures what many idle appenders cost, {@code many-jvms} what many programs with
 * one each, {@code wake-ups} when the flusher gets up.
 *
 * <p>Anything else is for JMH, whose own main this is, with two differences: a void run fails the
 * whole command, and the results are printed once more as a table with times and accounts side by
 * side.
 */
public final class Main {

  private Main() {}

  /** Runs what the command line asks for. */
  public static void main(String[] args)
      throws IOException,
          InterruptedException,
          ExecutionException,
          CommandLineOptionException,
          RunnerException {
    List<String> words = List.of(args);
    if (!words.isEmpty() && words.get(0).equals("lab")) {
      System.exit(Lab.run(words.subList(1, words.size())));
    } else if (!words.isEmpty() && words.get(0).equals("many-appenders")) {
      ManyAppenders.run(words.subList(1, words.size()));
    } else if (!words.isEmpty() && words.get(0).equals("many-jvms")) {
      ManyJvms.run(words.subList(1, words.size()));
    } else if (!words.isEmpty() && words.get(0).equals("wake-ups")) {
      WakeUps.run(words.subList(1, words.size()));
    } else if (words.size() == 2 && words.get(0).equals("report")) {
      Report.write(Path.of(words.get(1))).forEach(System.out::println);
    } else {
      runJmh(args);
    }
  }

  private static void runJmh(String[] args)
      throws IOException, CommandLineOptionException, RunnerException {
    CommandLineOptions options = new CommandLineOptions(args);
    if (onlyInforms(options)) {
      org.openjdk.jmh.Main.main(args);
      return;
    }
    Collection<RunResult> results =
        new Runner(new OptionsBuilder().parent(options).shouldFailOnError(true).build()).run();
    System.out.println();
    System.out.print(ResultTable.of(results));
  }

  private static boolean onlyInforms(CommandLineOptions options) {
    return options.shouldHelp()
        || options.shouldList()
        || options.shouldListWithParams()
        || options.shouldListProfilers()
        || options.shouldListResultFormats();
  }
}
