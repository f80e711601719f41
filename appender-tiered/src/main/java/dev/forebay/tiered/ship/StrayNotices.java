package dev.forebay.tiered.ship;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What the appenders of a process tell each other about strays: every one finds the same
 * directories, and there may be many. So it remembers which were reported to the user, and which
 * are none since one of these appenders ships from them. Thread-safe.
 */
public final class StrayNotices {

  /** The instance that all appenders of a process share. */
  public static final StrayNotices OF_PROCESS = new StrayNotices();

  private static final int LIMIT = 8;

  private final Set<Path> reported = new HashSet<>();

  /** Directories, by the number of appenders that ship from them or wait to. */
  private final Map<Path, Integer> shipped = new HashMap<>();

  /** With nothing reported yet. */
  StrayNotices() {}

  /** An appender begins to ship from a directory, or waits for its lock. */
  synchronized void begin(Path directory) {
    shipped.merge(directory, 1, Integer::sum);
  }

  /** It ends; once for each {@link #begin}. */
  synchronized void end(Path directory) {
    shipped.computeIfPresent(directory, (path, users) -> users == 1 ? null : users - 1);
  }

  /** Whether an appender of this process ships from a directory, or waits to. */
  synchronized boolean isShipped(Path directory) {
    return shipped.containsKey(directory);
  }

  /** Whether to report a directory: only the first time, and at most 8 directories. */
  synchronized boolean shouldReport(Path directory) {
    return reported.size() < LIMIT && reported.add(directory);
  }
}
