package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A spool to be shipped, or, with {@code retired}, one to which nothing will be added.
 *
 * @param unwritten records that were added to a retired spool and never got into its files
 */
record Arrival(SpoolDirectory directory, @Nullable Spool spool, boolean retired, long unwritten) {

  /** The same one. The equals that Java makes would keep the class loader alive on JDK 17. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
