/**
 * The stage between the spool and the durable log.
 *
 * <p>Records enter from the spool, in order; their bytes leave to a {@link
 * dev.forebay.tiered.ship.Destination}. Everything runs on the shipper's thread, the only thread of
 * the pipeline that ever waits for the log's disk.
 *
 * <p>{@code Shipper} decides when to ship, {@code SpoolQueue} which spool, {@code LogCopier} how.
 * The shipper knows no files or offsets; it asks the copier to take a spool, copy a batch, commit,
 * abandon, end. A destination that commits by transaction, or one that cannot be read back, needs
 * its own copier. The copier sees a source only through {@code SpoolTransfer}: read by sequence,
 * release what is committed, detect the end.
 */
@NullMarked
package dev.forebay.tiered.ship;

import org.jspecify.annotations.NullMarked;
