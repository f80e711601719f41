/**
 * {@link dev.forebay.tiered.TieredAppender}, its settings, and the sink that joins the ring to the
 * spool.
 *
 * <p>Log events enter on the threads that log; the flusher's thread encodes them and puts the bytes
 * into the spool, from where the shipper's thread carries them to the durable log. After the sink,
 * no stage knows log events.
 */
@NullMarked
package dev.forebay.tiered;

import org.jspecify.annotations.NullMarked;
