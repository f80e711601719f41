package dev.forebay.benchmarks.lab.jvm;

import dev.forebay.benchmarks.lab.Scenario.Fault;
import java.util.Locale;

/**
 * One run of a program.
 *
 * @param jdk version of the JDK, 17 for one
 */
public record JvmRun(
    Experiment experiment, int jdk, Collector collector, Fault fault, LogWay way, int repetition) {

  /** Without the way and the repetition: runs with the same are compared. */
  public JvmRun comparable() {
    return new JvmRun(experiment, jdk, collector, fault, LogWay.NONE, 0);
  }

  /** The fault on the command line and in file names. */
  public static String id(Fault fault) {
    return switch (fault) {
      case NONE -> "healthy";
      case FROZEN_DISK -> "frozen";
      case NOISY_NEIGHBOUR -> "throttled";
      case SATURATED_DISK -> "saturated";
      default -> fault.name().toLowerCase(Locale.ROOT);
    };
  }

  @Override
  public String toString() {
    return "%s jdk%d %s %s %s %d"
        .formatted(experiment.id(), jdk, collector.id(), id(fault), way.id(), repetition);
  }
}
