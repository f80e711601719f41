/**
 * Accounts of appenders enter, meters leave. Read on the threads that read the meters; bound on
 * those that configure Logback.
 */
@NullMarked
package dev.forebay.micrometer;

import org.jspecify.annotations.NullMarked;
