/**
 * The classes that a {@code logback.xml} names: {@link dev.forebay.NonBlockingAppender} and the
 * properties that all appenders of this project share.
 *
 * <p>Log events enter here on the threads that log and go straight to {@link
 * dev.forebay.pipeline.AppendGate}; they leave on the flusher's thread to the attached appenders.
 */
@NullMarked
package dev.forebay;

import org.jspecify.annotations.NullMarked;
