package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.FileInfo;
import java.lang.management.ManagementFactory;

/**
 * The life of a process, by which its files are told from those of others at the same place. Times
 * in milliseconds since the epoch.
 */
record Lifetime(long fromMs, long toMs) {

  /** For a place where no other process writes. */
  static final Lifetime ALWAYS = new Lifetime(Long.MIN_VALUE, Long.MAX_VALUE);

  /** For a place where the files of two processes cannot be told apart. */
  static final Lifetime NEVER = new Lifetime(Long.MAX_VALUE, Long.MAX_VALUE);

  /** How far the clock of files may lag; a JVM needs longer from its start to its first line. */
  private static final long COARSE_MS = 10;

  /** Of this JVM, which lives. */
  static Lifetime ofThisJvm() {
    long startMs = ManagementFactory.getRuntimeMXBean().getStartTime();
    return new Lifetime(startMs - COARSE_MS, Long.MAX_VALUE);
  }

  /** Whether it has written this file. */
  boolean test(FileInfo file) {
    return fromMs <= file.modifiedMs() && file.modifiedMs() < toMs;
  }
}
