package dev.forebay.tiered.file;

/**
 * A place in the durable log.
 *
 * @param fileKey identity of the file, stable under renaming; "" if the file system has none
 * @param offset bytes before it in that file
 */
record Position(String fileKey, long offset) {

  // Explicit for the reason given in InstanceId.

  @Override
  public boolean equals(Object other) {
    return other instanceof Position that && offset == that.offset && fileKey.equals(that.fileKey);
  }

  @Override
  public int hashCode() {
    return fileKey.hashCode() + Long.hashCode(offset);
  }
}
