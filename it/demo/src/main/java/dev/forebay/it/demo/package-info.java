/**
 * The demo: two applications under load, one logging through Forebay and one through Logback's
 * AsyncAppender, while their disk stops answering.
 *
 * <p>The command line enters; a live progress line, one table, a page and an exit code leave.
 * {@link dev.forebay.it.demo.DemoRun} runs on the main thread and asks everything else once a tick;
 * whatever was started is undone by {@link dev.forebay.host.Cleanup}, also on a shutdown thread.
 */
@NullMarked
package dev.forebay.it.demo;

import org.jspecify.annotations.NullMarked;
