package dev.forebay.tiered.jvm;

import dev.forebay.tiered.spool.Gap;
import dev.forebay.tiered.spool.LineFile;
import java.nio.file.Path;

/**
 * One of the files that the JVM has written in turn, held by a link of ours. For the flusher's
 * thread.
 */
final class Generation {

  final long number;

  /** The link's name when it was made. */
  final LineFile name;

  /** Identity of the file, under whatever name. */
  final String key;

  /** What is missing before its first byte. */
  final Gap before;

  Path link;

  /** Its length; -1 while the JVM may write to it. */
  long bytes = -1;

  Generation(LineFile name, Path link, String key, Gap before) {
    this.number = name.number();
    this.name = name;
    this.link = link;
    this.key = key;
    this.before = before;
  }

  /** Whether the JVM has closed it. */
  boolean isComplete() {
    return bytes >= 0;
  }
}
