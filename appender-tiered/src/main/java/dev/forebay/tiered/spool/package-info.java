/**
 * The bounded buffer on tmpfs between the flusher and the shipper.
 *
 * <p>Encoded events enter on the flusher's thread and become framed records in segment files; they
 * leave in order on the shipper's thread, or, after a crash, on the shipper's thread of another
 * process. Only {@code FrameFormat} knows the byte format. Segments of another form bring their
 * {@code SegmentContent}.
 */
@NullMarked
package dev.forebay.tiered.spool;

import org.jspecify.annotations.NullMarked;
