/**
 * What many idle appenders in one process cost: threads, files, memory, processor time; and, in
 * {@link dev.forebay.benchmarks.many.ManyJvms}, many processes with one appender each.
 *
 * <p>{@link dev.forebay.benchmarks.many.ManyAppenders} starts a JVM for each number of appenders,
 * so that no measurement warms up another. In that JVM {@link dev.forebay.benchmarks.many.Crowd}
 * starts, uses, leaves alone and stops the appenders, and {@link
 * dev.forebay.benchmarks.many.Footprint} reads {@code /proc}.
 */
@NullMarked
package dev.forebay.benchmarks.many;

import org.jspecify.annotations.NullMarked;
