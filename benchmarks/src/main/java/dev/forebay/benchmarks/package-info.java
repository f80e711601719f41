/**
 * Benchmarks of the log call and of every stage behind it.
 *
 * <p>The log call: JMH's threads call a logger; one {@link dev.forebay.benchmarks.AppenderKind}
 * behind it passes the events on, on its own threads, to a {@link
 * dev.forebay.benchmarks.CountingAppender} or to its own log. Times and the account of the events
 * leave as JMH results, side by side: a fast call that lost its event is not a fast call.
 *
 * <p>The stages: ring, encoder, frame, spool, shipper and recovery, each on the benchmark's thread
 * alone, with its CPU time and allocation from a {@link dev.forebay.benchmarks.Meter}. Those that
 * need to see what a package hides stand in {@code src/jmh}, in a package of the same name.
 */
@NullMarked
package dev.forebay.benchmarks;

import org.jspecify.annotations.NullMarked;
