package dev.forebay.tiered.ship;

/**
 * A place in the durable log.
 *
 * @param fileKey identity of the file, stable under renaming; "" where the file system has none
 * @param offset bytes before it in that file
 */
public record Position(String fileKey, long offset) {}
