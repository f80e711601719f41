/**
 * The stage between the spool and the durable log.
 *
 * <p>Records enter from the spool, in order; their bytes leave to a {@link
 * dev.forebay.tiered.ship.Destination}. All of it runs on the shipper's thread, the only thread of
 * the pipeline that ever waits for the log's disk.
 */
@NullMarked
package dev.forebay.tiered.ship;

import org.jspecify.annotations.NullMarked;
