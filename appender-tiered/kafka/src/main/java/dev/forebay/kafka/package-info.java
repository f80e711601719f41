/**
 * A Kafka topic as the destination of a {@code TieredAppender}. Records of the spool enter, on the
 * shipper's thread; they leave through a producer, and its own thread, in transactions that also
 * hold the position in the spool. Only attributes of events are taken elsewhere: by the flusher's
 * thread, or a log call in its turn.
 */
@NullMarked
package dev.forebay.kafka;

import org.jspecify.annotations.NullMarked;
