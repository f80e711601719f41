package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;

/** Completes what dead processes have left in another form than segments, before it is shipped. */
@FunctionalInterface
public interface Rescue {

  /**
   * Does so for all of them.
   *
   * @throws IOException if spools could be shipped in the wrong order now
   */
  void run(SpoolDirectory directory) throws IOException;
}
