/**
 * What a results directory of the lab says, for people.
 *
 * <p>In come the lines of JSON and the facts of the run that the host left in the directory; out
 * goes {@code report.html}, one page that needs no network. Everything runs on the thread that
 * calls {@link dev.forebay.benchmarks.lab.report.Report}, when nothing is measured any more.
 *
 * <p>{@code Measure} computes what is not measured, {@code budgets.txt} of the resources says what
 * it has to be, and {@code report.html} there draws the rest: a {@code Report} is the JSON document
 * that is put into it.
 */
@NullMarked
package dev.forebay.benchmarks.lab.report;

import org.jspecify.annotations.NullMarked;
