/**
 * The parent process of the lab.
 *
 * <p>In comes a command line; out goes a results directory: a file with a line of JSON for each run
 * ({@link dev.forebay.benchmarks.lab.Measurement}), what a child said beside it, and {@link
 * dev.forebay.benchmarks.lab.RunInfo}. In between the host prepares a disk, starts a child, causes
 * the fault of the scenario by the clock, and takes everything away again.
 *
 * <p>All of it runs on the main thread, one run after the other, but for three things: a thread
 * reads what the child says and passes it on, a thread of its own causes a fault, since a freeze
 * may take its time, and the shutdown hook cleans up when the lab is interrupted.
 */
@NullMarked
package dev.forebay.benchmarks.lab.host;

import org.jspecify.annotations.NullMarked;
