/**
 * The log file the user reads, rolled by Logback's own policies.
 *
 * <p>Record bytes enter on the shipper's thread; files leave. The policies decide names, times,
 * compression and retention; the bytes are written here, because Logback's file appenders hide
 * whether a write reached the file.
 *
 * <p>The policies are responsible for the files they move. Compression replaces a forced file by an
 * unforced archive; {@link dev.forebay.tiered.file.ArchiveKeeper} keeps the file until the archive
 * is on the disk, which {@link dev.forebay.tiered.file.Archivist} checks on its thread. A copy to
 * another file system is not forced. Compression runs on the executors of Logback's context.
 */
@NullMarked
package dev.forebay.tiered.file;

import org.jspecify.annotations.NullMarked;
