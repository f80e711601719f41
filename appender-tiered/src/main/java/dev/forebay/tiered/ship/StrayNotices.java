package dev.forebay.tiered.ship;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Remembers which strays the user was told of: every appender of a process meets the same ones, and
 * there may be many. Safe for any thread.
 */
public final class StrayNotices {

  /** The one that all appenders of a process share. */
  public static final StrayNotices OF_PROCESS = new StrayNotices();

  private static final int LIMIT = 8;

  private final Set<Path> told = new HashSet<>();

  /** Of no directory yet. */
  StrayNotices() {}

  /** Whether the user is to be told of a directory: the first time, and of a few of them. */
  synchronized boolean isNews(Path directory) {
    return told.size() < LIMIT && told.add(directory);
  }
}
