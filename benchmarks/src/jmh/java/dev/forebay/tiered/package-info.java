/** Stages of the package of the same name, put together for benchmarks; beside it to see them. */
@NullMarked
package dev.forebay.tiered;

import org.jspecify.annotations.NullMarked;
