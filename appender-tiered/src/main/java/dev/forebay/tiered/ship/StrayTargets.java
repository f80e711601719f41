package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.LogNote;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;

/** Which spools of other logs can be shipped, and where to. */
public interface StrayTargets {

  /** Whether a directory is for our own log. */
  boolean isOwn(SpoolDirectory directory) throws IOException;

  /** Whether records for a log can be shipped from here. */
  boolean mayShip(LogNote log) throws IOException;

  /** The destination for such a log. */
  Destination of(LogNote log);

  /** How far the spools of a directory were shipped. */
  Progress progressIn(SpoolDirectory directory);
}
