package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.LogNote;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Which spools of other logs can be shipped, and where to. */
public interface StrayTargets {

  /** Whether a directory is for our own log. */
  boolean isOwn(SpoolDirectory directory) throws IOException;

  /**
   * Why records for a log cannot be shipped from here; null if they can, "" if that is for others
   * to do.
   */
  @Nullable String obstacle(LogNote log) throws IOException;

  /** The destination for a log without obstacles. */
  Destination of(LogNote log);

  /** How far the spools of a directory were shipped. */
  Progress progressIn(SpoolDirectory directory);
}
