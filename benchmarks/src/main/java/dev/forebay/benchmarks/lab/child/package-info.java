/**
 * The measured JVM of the latency lab.
 *
 * <p>{@link dev.forebay.benchmarks.lab.child.Child} is started with a scenario, a peer and
 * directories, and leaves one measurement as a file. On its main thread it starts the logging
 * system, reads all figures at the begin and at the end of the measured time, in between only
 * parks, then stops the logging system and counts the lines. The log calls are made by {@link
 * dev.forebay.benchmarks.lab.child.Producer} threads, through SLF4J; what differs between logging
 * systems is behind {@link dev.forebay.benchmarks.lab.child.Backend}.
 */
@NullMarked
package dev.forebay.benchmarks.lab.child;

import org.jspecify.annotations.NullMarked;
