/**
 * The log file the user reads, rolled by Logback's own policies.
 *
 * <p>Record bytes enter on the shipper's thread; files leave. The policies decide names, times,
 * compression and retention; the bytes are written here, because Logback's file appenders hide
 * whether a write reached the file.
 *
 * <p>What the policies do to a file they were given to move is theirs. A compressed archive
 * replaces a file that was forced by one that was not; {@link
 * dev.forebay.tiered.durable.ArchiveKeeper} sees to it that the first stays until the second is on
 * the disk. Copying to another file system is not made durable by us. Compression runs on the
 * executors of Logback's context.
 */
@NullMarked
package dev.forebay.tiered.durable;

import org.jspecify.annotations.NullMarked;
