package dev.forebay.tiered.jvm;

/** Gets the JVM's lines once they are passed to the spool. For the flusher's thread. */
public interface LineListener {

  /** A listener without interest in lines. */
  LineListener NONE = new LineListener() {};

  /** The longest piece of a line that comes at once; the rest of it follows. */
  int MAX_BYTES = LineCutter.MAX_RECORD_BYTES;

  /**
   * The next line is the first of an output.
   *
   * @param decorators what its lines begin with, as in {@code -Xlog}
   */
  default void begin(String decorators) {}

  /**
   * Gets a line with its end, or a piece of it. Must neither throw nor wait for other threads.
   *
   * @param bytes only valid until this returns
   */
  default void line(byte[] bytes, int start, int length) {}
}
