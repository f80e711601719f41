/**
 * The JVM's own log, in the lab: what it costs and what it holds up, by the way it takes to a file.
 *
 * <p>{@link dev.forebay.benchmarks.lab.jvm.LogWay} are the ways that are compared, {@link
 * dev.forebay.benchmarks.lab.jvm.Experiment} what is done to them. The programs run in the measured
 * JVMs; they say what the children of the lab say and leave what they saw beside the log of the
 * safepoints. The host runs them and makes a {@link dev.forebay.benchmarks.lab.jvm.JvmMeasurement}
 * of each run, {@code report} the page.
 */
@NullMarked
package dev.forebay.benchmarks.lab.jvm;

import org.jspecify.annotations.NullMarked;
