package dev.forebay.benchmarks;

import java.io.IOException;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * JMH's own main, with two differences: a void run fails the whole command, and the results are
 * printed once more as a table with times and accounts side by side.
 */
public final class Main {

  private Main() {}

  /** Runs what JMH's command line asks for. */
  public static void main(String[] args)
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
