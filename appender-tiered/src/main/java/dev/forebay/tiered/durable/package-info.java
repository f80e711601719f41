/**
 * The log file the user reads, rolled by Logback's own policies.
 *
 * <p>Record bytes enter on the shipper's thread; files leave. The policies decide names, times,
 * compression and retention; the bytes are written here, because Logback's file appenders hide
 * whether a write reached the file.
 */
@NullMarked
package dev.forebay.tiered.durable;

import org.jspecify.annotations.NullMarked;
