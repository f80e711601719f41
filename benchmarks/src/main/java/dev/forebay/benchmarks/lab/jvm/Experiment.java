package dev.forebay.benchmarks.lab.jvm;

import dev.forebay.benchmarks.lab.Scenario.Fault;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What is done to a log of the JVM. */
public enum Experiment {
  /** A program that does nothing, with everything in the log; run often. */
  HELLO_WORLD("all=trace", HelloWorld.class, "-Xmx64m"),

  /**
   * A program that allocates at a steady rate: its safepoints, and how long it was held up for
   * whatever reason.
   */
  ALLOCATION("gc*=debug,safepoint=info", Allocator.class, "-Xms1g -Xmx1g"),

  /** A program that ends while the disk is frozen. */
  EXIT("gc*=debug,safepoint=info", Leaver.class, "-Xms256m -Xmx256m");

  private final String what;
  private final Class<?> program;
  private final String options;

  Experiment(String what, Class<?> program, String options) {
    this.what = what;
    this.program = program;
    this.options = options;
  }

  /** Tags and levels of the log. */
  public String what() {
    return what;
  }

  /** The main class of the measured JVM. */
  public Class<?> program() {
    return program;
  }

  /** Options of the measured JVM. */
  public List<String> options() {
    return List.of(options.split(" ", -1));
  }

  /** What happens to the disk of the log: one run for each. */
  public Set<Fault> faults() {
    return switch (this) {
      case HELLO_WORLD -> EnumSet.of(Fault.NONE);
      case ALLOCATION -> EnumSet.of(Fault.NONE, Fault.FROZEN_DISK, Fault.NOISY_NEIGHBOUR);
      case EXIT -> EnumSet.of(Fault.NONE, Fault.FROZEN_DISK);
    };
  }

  /** The collectors it is run with. */
  public Set<Collector> collectors() {
    return this == ALLOCATION ? EnumSet.allOf(Collector.class) : EnumSet.of(Collector.G1);
  }

  /** As it is written on the command line and in file names: {@code hello-world}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
