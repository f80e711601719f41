/**
 * Benchmarks of the log call.
 *
 * <p>JMH's threads call a logger; one {@link dev.forebay.benchmarks.AppenderKind} behind it passes
 * the events to a {@link dev.forebay.benchmarks.CountingAppender} on its own thread. Times and the
 * account of the events leave as JMH results, side by side: a fast call that lost its event is not
 * a fast call.
 */
@NullMarked
package dev.forebay.benchmarks;

import org.jspecify.annotations.NullMarked;
