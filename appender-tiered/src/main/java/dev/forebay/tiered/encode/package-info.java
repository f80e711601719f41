/**
 * Bytes of lines: events enter, encoded text leaves, without a string in between. A buffer belongs
 * to one thread at a time.
 */
@NullMarked
package dev.forebay.tiered.encode;

import org.jspecify.annotations.NullMarked;
