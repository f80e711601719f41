/**
 * From a log call to the sink: the ring and its two ends.
 *
 * <p>Events enter by {@link dev.forebay.pipeline.AppendGate} on the threads that log and cross the
 * {@link dev.forebay.pipeline.EventRing}; the flusher's thread takes them out and hands them to an
 * {@link dev.forebay.pipeline.EventSink}. The reporter's thread watches the others and notifies the
 * listeners. A log call parks only while the ring is full, or if it waits for durability.
 */
@NullMarked
package dev.forebay.pipeline;

import org.jspecify.annotations.NullMarked;
