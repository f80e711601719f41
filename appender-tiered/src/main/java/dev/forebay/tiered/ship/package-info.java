/**
 * The stage between the spools and the destination.
 *
 * <p>Records enter from the spools, in order, and leave to a {@code Destination}, on the shipper's
 * thread, the only one of the pipeline that ever waits for that.
 *
 * <p>{@code Shipper} decides when to ship, {@code SpoolQueue} which spool, the destination how and
 * where to. It sees a spool only through {@code Records}; {@code CheckpointFile} keeps how far it
 * is, in words of the destination.
 */
@NullMarked
package dev.forebay.tiered.ship;

import org.jspecify.annotations.NullMarked;
