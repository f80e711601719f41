package dev.forebay.tiered.jvm;

/**
 * How the JVM rotates the files of an output.
 *
 * @param fileCount archives it keeps
 * @param fileBytes size at which it begins another file
 */
record Rotation(int fileCount, long fileBytes) {

  /** No rotation. */
  static final Rotation NONE = new Rotation(0, 0);
}
