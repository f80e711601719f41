/**
 * What a results directory of the lab says, for people.
 *
 * <p>In come the measurement files and the facts of the run that the host left in the directory;
 * out go {@code report.html}, one page that needs no network, and {@code report.md}, its tables,
 * beside them. Everything runs on the thread that calls {@link
 * dev.forebay.benchmarks.lab.report.Report}, when nothing is measured any more.
 *
 * <p>{@code Summary} puts the repetitions together, {@code Measures} says what is computed of one,
 * {@code Budgets} what it has to be. These become {@code Section}s, which {@code report.html} of
 * the resources draws with uPlot.
 */
@NullMarked
package dev.forebay.benchmarks.lab.report;

import org.jspecify.annotations.NullMarked;
