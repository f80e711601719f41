package dev.forebay.tiered.overflow;

import java.nio.file.Path;

/**
 * Where a spool that fills up overflows to.
 *
 * @param directory the base directory, as of a spool
 * @param bytes limit on all segments there of one log
 */
public record OverflowSettings(Path directory, long bytes) {}
