package dev.forebay.benchmarks.lab.jvm;

import java.util.Locale;

/** A garbage collector. */
public enum Collector {
  G1("-XX:+UseG1GC"),
  PARALLEL("-XX:+UseParallelGC"),
  Z("-XX:+UseZGC");

  private final String option;

  Collector(String option) {
    this.option = option;
  }

  /** Option of the JVM. */
  public String option() {
    return option;
  }

  /** As it is written on the command line and in file names. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
