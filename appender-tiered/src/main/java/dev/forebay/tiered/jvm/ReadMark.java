package dev.forebay.tiered.jvm;

import java.nio.file.Path;

/**
 * How far an output of the command line was read when its appender stopped: the next one of this
 * JVM, whichever class loader it is from, continues there.
 *
 * @param key identity of the file; "" to begin with the oldest
 * @param offset of the next line in it
 */
record ReadMark(String key, long offset) {

  static final ReadMark NONE = new ReadMark("", 0);

  private static final String PROPERTY = "dev.forebay.jvm.read.";

  static ReadMark of(Path output) {
    String text = System.getProperty(PROPERTY + output, "0 ");
    int blank = text.indexOf(' ');
    return new ReadMark(text.substring(blank + 1), Long.parseLong(text.substring(0, blank)));
  }

  /** Leaves this mark for the next appender. */
  void leave(Path output) {
    System.setProperty(PROPERTY + output, offset + " " + key);
  }
}
