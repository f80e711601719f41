package dev.forebay.tiered.file;

/**
 * A place in the durable log.
 *
 * @param fileKey identity of the file, stable under renaming; "" if the file system has none
 * @param offset bytes before it in that file
 */
record Position(String fileKey, long offset) {}
