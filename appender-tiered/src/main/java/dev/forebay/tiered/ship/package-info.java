/**
 * The stage between the spool and the durable log.
 *
 * <p>Records enter from the spool, in order; their bytes leave to a {@link
 * dev.forebay.tiered.ship.Destination}. All of it runs on the shipper's thread, the only thread of
 * the pipeline that ever waits for the log's disk.
 *
 * <p>{@code Shipper} decides when, {@code SpoolQueue} which spool, {@code LogCopier} how. What the
 * first knows of the last is neither a file nor an offset: take a spool and find out how far it is,
 * copy a batch, commit, abandon, end. A destination that commits by transaction, or one that cannot
 * be read back, has a copier of its own. What the copier knows of a source is in {@code
 * SpoolTransfer}: read by sequence, release what is committed, the end.
 */
@NullMarked
package dev.forebay.tiered.ship;

import org.jspecify.annotations.NullMarked;
