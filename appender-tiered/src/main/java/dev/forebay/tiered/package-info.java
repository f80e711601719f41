/**
 * {@link dev.forebay.tiered.TieredAppender}, its settings, and the sink that joins the ring to the
 * spool.
 *
 * <p>Log events enter on the threads that log; the flusher's thread encodes them and puts the bytes
 * into the spool, from where the shipper's thread carries them to the durable log. After the sink,
 * no stage knows log events.
 *
 * <p>How things end, here and in the packages below: <em>stop</em> ends a thread or what has one;
 * <em>close</em> frees what this process holds, and what is on disk stays; <em>leave</em> keeps
 * records for the next start; <em>discard</em> deletes; <em>abandon</em> counts records as lost;
 * <em>retire</em> lets nothing be added any more; <em>release</em> gives back a lock or records
 * that are shipped.
 */
@NullMarked
package dev.forebay.tiered;

import org.jspecify.annotations.NullMarked;
