/**
 * The destination that is a log file, rolled by Logback's own policies.
 *
 * <p>Records enter on the shipper's thread; files leave. {@link
 * dev.forebay.tiered.file.FileDestination} copies and commits them under a checkpoint beside the
 * spools; after a failure or a crash it finds in the log itself how far it got. The policies decide
 * names, times, compression and retention; the bytes are written here, because Logback's file
 * appenders hide whether a write reached the file.
 *
 * <p>The policies are responsible for the files they move, except that where one of Logback's own
 * compresses, {@code Archivist} does. A copy to another file system is not forced.
 */
@NullMarked
package dev.forebay.tiered.file;

import org.jspecify.annotations.NullMarked;
