package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.FileInfo;
import java.lang.management.ManagementFactory;

/**
 * The life of a process, by which its files are distinguished from those of other processes. Times
 * in milliseconds since the epoch.
 */
record Lifetime(long fromMs, long toMs) {

  /** For a place where no other process writes. */
  static final Lifetime ALWAYS = new Lifetime(Long.MIN_VALUE, Long.MAX_VALUE);

  /** For a place where the files of two processes cannot be distinguished. */
  static final Lifetime NEVER = new Lifetime(Long.MAX_VALUE, Long.MAX_VALUE);

  /** How far the clock of files may lag; a JVM needs longer from its start to its first line. */
  private static final long COARSE_MS = 10;

  /** The lifetime of this JVM, which lives. */
  static Lifetime ofThisJvm() {
    long startMs = ManagementFactory.getRuntimeMXBean().getStartTime();
    return new Lifetime(startMs - COARSE_MS, Long.MAX_VALUE);
  }

  /** Whether the process can have written this file. */
  boolean test(FileInfo file) {
    return fromMs <= file.modifiedMs() && file.modifiedMs() < toMs;
  }
}
