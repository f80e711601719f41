package dev.forebay.tiered.jvm;

import java.nio.file.Path;

/**
 * One of the files that the JVM has written in turn, held by a link of ours. For the flusher's
 * thread.
 */
final class Generation {

  final long number;
  final Path link;

  /** Identity of the file, under whatever name. */
  final String key;

  /** What is missing before its first byte. */
  final Gap before;

  /** Its length; -1 while the JVM may write to it. */
  long bytes = -1;

  Generation(long number, Path link, String key, Gap before) {
    this.number = number;
    this.link = link;
    this.key = key;
    this.before = before;
  }

  /** Whether the JVM has closed it. */
  boolean isComplete() {
    return bytes >= 0;
  }
}
