/**
 * Replaces secrets by {@code ***} before an event's bytes leave the thread that encodes it: in come
 * events and encoded lines, out go the same without what the rules match. Loaded only where a
 * configuration has {@code <redact>}. Any thread.
 *
 * @hidden
 */
@NullMarked
package dev.forebay.redact;

import org.jspecify.annotations.NullMarked;
