package dev.forebay.tiered.ship;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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

  /** Directories, once for each appender that ships from them or waits to. */
  private final List<Path> shipped = new ArrayList<>();

  /** With nothing reported yet. */
  StrayNotices() {}

  /** An appender begins to ship from a directory, or waits for its lock. */
  synchronized void begin(Path directory) {
    shipped.add(directory);
  }

  /** It ends; once for each {@link #begin}. */
  synchronized void end(Path directory) {
    shipped.remove(directory);
  }

  /** Whether an appender of this process ships from a directory, or waits to. */
  synchronized boolean isShipped(Path directory) {
    return shipped.contains(directory);
  }

  /** Whether to report a directory: only the first time, and at most 8 directories. */
  synchronized boolean shouldReport(Path directory) {
    return reported.size() < LIMIT && reported.add(directory);
  }
}
