package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Scenario;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Says how far the lab is. How long a run will take is what the runs of its scenario took so far;
 * before the first, what its times are in sum and what a start usually costs.
 */
final class Progress {

  private static final Duration START_AND_STOP = Duration.ofSeconds(2);
  private static final Duration A_NUMBER_OF_EVENTS = Duration.ofSeconds(5);

  private final List<PlannedRun> runs;
  private final PrintStream out;
  private final boolean isTerminal;
  private final Map<Scenario, Taken> taken = new EnumMap<>(Scenario.class);
  private int done;

  private record Taken(Duration sum, int count) {
    Taken plus(Duration more) {
      return new Taken(sum.plus(more), count + 1);
    }
  }

  Progress(List<PlannedRun> runs, PrintStream out, boolean isTerminal) {
    this.runs = runs;
    this.out = out;
    this.isTerminal = isTerminal;
  }

  /** Whether standard output is a terminal, where a line can be written over. */
  static boolean writesToTerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Time that the runs which are not done will take. */
  Duration left() {
    Duration sum = Duration.ZERO;
    for (PlannedRun run : runs.subList(done, runs.size())) {
      sum = sum.plus(expected(run));
    }
    return sum;
  }

  private Duration expected(PlannedRun run) {
    Taken before = taken.get(run.scenario());
    if (before != null) {
      return before.sum().dividedBy(before.count());
    }
    Duration more = run.isOfAWhile() ? START_AND_STOP : START_AND_STOP.plus(A_NUMBER_OF_EVENTS);
    return run.time().plus(more);
  }

  /** Says what is planned. */
  void begin() {
    out.printf("%d runs, about %s%n", runs.size(), Text.time(left()));
  }

  /** Says that a run goes on, where that can be written over. */
  void running(PlannedRun run, Duration soFar) {
    if (isTerminal) {
      out.printf(
          "\r%s %s: %d s\033[K", position(done + 1, left().minus(soFar)), run, soFar.toSeconds());
      out.flush();
    }
  }

  /** Says how a run ended. */
  void ended(PlannedRun run, Duration took, Measurement measurement) {
    taken.merge(run.scenario(), new Taken(took, 1), (before, one) -> before.plus(one.sum()));
    done++;
    out.printf(
        "%s%s %s: %s%n",
        isTerminal ? "\r\033[K" : "", position(done, left()), run, Text.of(measurement));
  }

  private String position(int number, Duration left) {
    return "["
        + number
        + "/"
        + runs.size()
        + ", "
        + Text.time(left.isNegative() ? Duration.ZERO : left)
        + " left]";
  }
}
