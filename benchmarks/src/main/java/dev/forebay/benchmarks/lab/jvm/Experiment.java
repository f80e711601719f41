package dev.forebay.benchmarks.lab.jvm;

import dev.forebay.benchmarks.lab.Scenario.Fault;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What is done to a log of the JVM. */
public enum Experiment {
  /** A program that does nothing, with everything in the log; run often. */
  HELLO_WORLD("all=trace", HelloWorld.class, "-Xmx64m", ""),

  /**
   * A program that allocates at a steady rate: its safepoints, and how long it was held up for
   * whatever reason. The measured time is as long as the freeze of the scenario of that name, and
   * two seconds before and after it. 64 MB are live.
   */
  ALLOCATION("gc*=debug,safepoint=info", Allocator.class, "-Xms1g -Xmx1g", "9 64"),

  /**
   * The same program on a disk that cannot take what a neighbour writes: the pauses that LinkedIn
   * found, without any freeze.
   */
  LINKEDIN("gc*=debug,safepoint=info", Allocator.class, "-Xms1g -Xmx1g", "18 64"),

  /**
   * As ALLOCATION with many young collections that have next to nothing to do, on a disk that is
   * well: what a line costs in a pause.
   */
  STORM("gc*=debug,safepoint=info", Allocator.class, "-Xms256m -Xmx256m -Xmn4m", "5 1"),

  /**
   * A program that does nothing for ten seconds, with what an agent logs by default. At debug G1
   * writes a line a second, so nobody sleeps.
   */
  IDLE("gc*=info,safepoint=info", Idler.class, "-Xms64m -Xmx64m", "10"),

  /** A program that ends while the disk is frozen. */
  EXIT("gc*=debug,safepoint=info", Leaver.class, "-Xms256m -Xmx256m", "");

  private final String what;
  private final Class<?> program;
  private final String options;
  private final String arguments;

  Experiment(String what, Class<?> program, String options, String arguments) {
    this.what = what;
    this.program = program;
    this.options = options;
    this.arguments = arguments;
  }

  /** Tags and levels of the log. */
  public String what() {
    return what;
  }

  /** The main class of the measured JVM. */
  public Class<?> program() {
    return program;
  }

  /** What it is told besides where its figures go. */
  public List<String> arguments() {
    return words(arguments);
  }

  /** Options of the measured JVM. */
  public List<String> options() {
    return words(options);
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
  }

  /** What happens to the disk of the log: one run for each. */
  public Set<Fault> faults() {
    return switch (this) {
      case HELLO_WORLD, STORM, IDLE -> EnumSet.of(Fault.NONE);
      case ALLOCATION -> EnumSet.of(Fault.NONE, Fault.FROZEN_DISK, Fault.NOISY_NEIGHBOUR);
      case LINKEDIN -> EnumSet.of(Fault.SATURATED_DISK);
      case EXIT -> EnumSet.of(Fault.NONE, Fault.FROZEN_DISK);
    };
  }

  /** The collectors it is run with. */
  public Set<Collector> collectors() {
    return isOfAllocation() ? EnumSet.allOf(Collector.class) : EnumSet.of(Collector.G1);
  }

  /** The ways it is run with. */
  public Set<LogWay> ways() {
    return this == IDLE ? EnumSet.of(LogWay.NONE, LogWay.FOREBAY) : EnumSet.allOf(LogWay.class);
  }

  /**
   * Whether the JVM writes all it logs a second time, to compare a carried log with. Not where a
   * line's cost is measured, since each would cost twice.
   */
  public boolean hasTruth() {
    return isOfAllocation() || this == EXIT;
  }

  private boolean isOfAllocation() {
    return this == ALLOCATION || this == LINKEDIN;
  }

  /** As it is written on the command line and in file names: {@code hello-world}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
