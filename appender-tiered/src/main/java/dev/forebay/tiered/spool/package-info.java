/**
 * The bounded buffer on tmpfs between the flusher and the shipper.
 *
 * <p>Encoded events enter on the flusher's thread and become framed records in segment files; they
 * leave in order on the shipper's thread, or, after a crash, on the shipper's thread of another
 * process. The byte format is known to {@code FrameFormat} alone.
 */
@NullMarked
package dev.forebay.tiered.spool;

import org.jspecify.annotations.NullMarked;
