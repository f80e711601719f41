/**
 * Spools that move from tmpfs to a directory on a disk when they fill up while the log cannot be
 * written. A copy is not read before it is published under its final name.
 */
@NullMarked
package dev.forebay.tiered.overflow;

import org.jspecify.annotations.NullMarked;
