package dev.forebay.tiered.ship;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Remembers which strays were reported to the user: every appender of a process finds the same
 * ones, and there may be many. Thread-safe.
 */
public final class StrayNotices {

  /** The instance that all appenders of a process share. */
  public static final StrayNotices OF_PROCESS = new StrayNotices();

  private static final int LIMIT = 8;

  private final Set<Path> reported = new HashSet<>();

  /** With nothing reported yet. */
  StrayNotices() {}

  /** Whether to report a directory: only the first time, and at most 8 directories. */
  synchronized boolean shouldReport(Path directory) {
    return reported.size() < LIMIT && reported.add(directory);
  }
}
