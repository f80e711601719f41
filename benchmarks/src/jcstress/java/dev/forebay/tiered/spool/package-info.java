/**
 * Stress tests of the package of the same name, and in {@code src/jmh} benchmarks of its parts;
 * beside it to see what it hides.
 */
@NullMarked
package dev.forebay.tiered.spool;

import org.jspecify.annotations.NullMarked;
