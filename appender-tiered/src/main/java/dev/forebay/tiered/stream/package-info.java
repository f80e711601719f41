/**
 * The destination that is standard output or error: records are written on the shipper's thread,
 * and are shipped once the kernel has taken them. What an earlier process left is marked.
 */
@NullMarked
package dev.forebay.tiered.stream;

import org.jspecify.annotations.NullMarked;
