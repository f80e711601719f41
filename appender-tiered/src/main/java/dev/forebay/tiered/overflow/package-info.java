/**
 * Spools that move from tmpfs to a directory on a disk when they fill up while the log cannot be
 * written. A copy is published under its final name, or nobody reads it.
 */
@NullMarked
package dev.forebay.tiered.overflow;

import org.jspecify.annotations.NullMarked;
