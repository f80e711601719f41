package dev.forebay.tiered.jvm;

import java.nio.file.Path;
import java.util.Properties;

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

  /** The mark of an output. */
  static ReadMark of(Properties shared, Path output) {
    String text = shared.getProperty(PROPERTY + output);
    if (text == null) {
      return NONE;
    }
    int blank = text.indexOf(' ');
    return new ReadMark(text.substring(blank + 1), Long.parseLong(text.substring(0, blank)));
  }

  /** Leaves it for the next appender. */
  void leave(Properties shared, UlOutput output) {
    shared.setProperty(PROPERTY + output.file(), offset + " " + key);
  }
}
