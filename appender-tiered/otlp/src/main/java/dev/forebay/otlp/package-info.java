/**
 * A receiver of OpenTelemetry's protocol as the destination of a {@code TieredAppender}. Events
 * become log records on the flusher's thread, or in a log call's turn, and wait so in the spool.
 * From there the shipper's thread sends them in requests, one after another, and waits for each
 * answer; the JDK's client has threads of its own for that.
 */
@NullMarked
package dev.forebay.otlp;

import org.jspecify.annotations.NullMarked;
