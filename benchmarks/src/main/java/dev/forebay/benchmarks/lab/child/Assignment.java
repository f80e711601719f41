package dev.forebay.benchmarks.lab.child;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What a child has to measure.
 *
 * @param logs directory for log files, empty
 * @param spool directory for the spool of a {@code TieredAppender}
 * @param result file for the measurement
 */
record Assignment(
    Scenario scenario, Peer peer, int repetition, Path logs, Path spool, Path result) {

  static final String USAGE =
      "Arguments: <scenario id> <peer id> <repetition> <log directory> <spool directory>"
          + " <result file>";

  static Assignment of(String... arguments) {
    if (arguments.length != 6) {
      throw new IllegalArgumentException(USAGE);
    }
    return new Assignment(
        Scenario.valueOf(constant(arguments[0])),
        Peer.valueOf(constant(arguments[1])),
        Integer.parseInt(arguments[2]),
        Path.of(arguments[3]).toAbsolutePath(),
        Path.of(arguments[4]).toAbsolutePath(),
        Path.of(arguments[5]).toAbsolutePath());
  }

  private static String constant(String id) {
    return id.toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
