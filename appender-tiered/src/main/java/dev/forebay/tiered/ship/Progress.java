package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.InstanceId;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How far a destination is with the spools of one directory. For the holder of its ship lock. */
public interface Progress {

  /** Others may have shipped from the directory. */
  void reload() throws IOException;

  /** The first record of a spool that is not final. */
  long firstUncommitted(InstanceId spool) throws IOException;

  /** The spool copied last; null if that is unknown. */
  @Nullable InstanceId last() throws IOException;

  /**
   * The place of a spool among those of all directories: 0 if the destination may end with its
   * records, so that nothing may come between; otherwise more.
   */
  int rank(InstanceId spool);

  /** Reserves what saves will need, if it can; says once what was found instead of the progress. */
  default @Nullable String reserve() {
    return null;
  }

  /** Names of its files, which are of no use without spools. */
  default Set<String> files() {
    return Set.of();
  }

  /** Closes what is open, until the next use: the directory may have been replaced. */
  default void close() {}
}
