/**
 * A {@code TieredAppender} in the logging configuration of Dropwizard, which names it {@code type:
 * forebay}. Used by the thread that starts the application.
 */
@NullMarked
package dev.forebay.dropwizard;

import org.jspecify.annotations.NullMarked;
