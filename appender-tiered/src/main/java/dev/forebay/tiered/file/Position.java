package dev.forebay.tiered.file;

/**
 * A place in the durable log, after so many bytes of a file of this identity, which is stable under
 * renaming; "" if the file system has none.
 */
record Position(String fileKey, long offset) {

  /** Of what is no file. */
  static final Position NOWHERE = new Position("", 0);
}
