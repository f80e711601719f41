/**
 * The flight recorder: every event, for a while, in a loop of segments on tmpfs, and the dumps made
 * of it.
 *
 * <p>Encoded events enter on the flusher's thread. They leave as copies in dump files, written on
 * the shipper's thread, or are overwritten. What a dead process recorded is dumped by the next one.
 */
@NullMarked
package dev.forebay.tiered.flight;

import org.jspecify.annotations.NullMarked;
