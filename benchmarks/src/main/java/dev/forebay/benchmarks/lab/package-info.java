/**
 * The latency lab: appenders under a given load and a given fault, each in a JVM of its own.
 *
 * <p>This package is what the parts of the lab have in common. {@code host} runs in the parent
 * process: it prepares disks, starts one child after the other, causes the faults and keeps the
 * results. {@code child} runs in the measured JVM: it starts a {@link
 * dev.forebay.benchmarks.lab.Peer}, makes the log calls of a {@link
 * dev.forebay.benchmarks.lab.Scenario}, counts the lines and writes one {@link
 * dev.forebay.benchmarks.lab.Measurement}. {@code report} reads measurements and writes the page.
 */
@NullMarked
package dev.forebay.benchmarks.lab;

import org.jspecify.annotations.NullMarked;
