/**
 * The web application whose logging the demo watches: a Play application in a JVM of its own.
 *
 * <p>HTTP requests and, on standard input, the demo's commands enter; log events leave through the
 * configured appender, and figures leave as lines on standard output. Requests are answered on
 * Play's threads; everything that talks to the demo runs on two threads that never log, because a
 * log call may be what is stuck.
 */
@NullMarked
package dev.forebay.it.demo.app;

import org.jspecify.annotations.NullMarked;
