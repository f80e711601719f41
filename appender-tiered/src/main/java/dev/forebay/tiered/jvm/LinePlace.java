package dev.forebay.tiered.jvm;

import dev.forebay.tiered.spool.LineSpool;
import java.io.IOException;

/** Where the spools of one log are, and who ships them. For the flusher's thread. */
public interface LinePlace {

  /**
   * Finds the place, and has shipped what dead JVMs have left there; to be called in each turn.
   *
   * @return whether it is known
   */
  boolean look() throws IOException;

  /** Creates a spool. */
  LineSpool create() throws IOException;

  /** Whether a spool that was created by others is in this place. */
  boolean holds(LineSpool spool);

  /** Has a spool shipped. */
  void add(LineSpool spool);

  /** No more lines are added to this spool. */
  void retire(LineSpool spool);
}
