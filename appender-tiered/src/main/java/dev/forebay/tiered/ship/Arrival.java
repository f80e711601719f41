package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.SpoolDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A spool to be shipped; if {@code retired}, one to which nothing more is added, and of whose
 * records so many never got into its files. No record: to compare these loads a dozen classes.
 */
final class Arrival {
  final SpoolDirectory directory;
  final @Nullable OwnSpool spool;
  final boolean retired;
  final long unwritten;

  Arrival(SpoolDirectory directory, @Nullable OwnSpool spool, boolean retired, long unwritten) {
    this.directory = directory;
    this.spool = spool;
    this.retired = retired;
    this.unwritten = unwritten;
  }
}
