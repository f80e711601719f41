package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.SpoolDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A spool to be shipped; if {@code retired}, one to which nothing more is added.
 *
 * @param unwritten records added to a retired spool that never got into its files
 */
record Arrival(
    SpoolDirectory directory, @Nullable OwnSpool spool, boolean retired, long unwritten) {

  /** Identity. The generated equals would keep the class loader alive on JDK 17. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
