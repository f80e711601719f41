package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.util.function.Predicate;

/** Makes spools of what dead processes have left in another form beside their spools. */
@FunctionalInterface
public interface Rescue {

  /** How far a spool goes. */
  @FunctionalInterface
  interface Ends {
    /** Sequence after the last record that is, or was, in this spool; 0 if there is none. */
    long of(InstanceId spool) throws IOException;
  }

  /**
   * Does so for all of them.
   *
   * @param isTaken whether a spool was taken over by the caller
   * @return whether there is a new spool
   * @throws IOException if something could be shipped twice should a spool be shipped now
   */
  boolean run(SpoolDirectory directory, Ends ends, Predicate<InstanceId> isTaken)
      throws IOException;
}
