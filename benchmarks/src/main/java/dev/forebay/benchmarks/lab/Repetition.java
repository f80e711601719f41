package dev.forebay.benchmarks.lab;

import org.jspecify.annotations.Nullable;

/** One of several runs of the same. */
public interface Repetition {

  /** Why the run counts for nothing, for example unaccounted events; null when it counts. */
  @Nullable String voidBecause();
}
