/**
 * Steers a running appender: a Unix-domain socket in its spool's directory, and levels that last
 * for a time. A request enters as one line and leaves as one answer, on a thread of its own. The
 * reporter opens the socket, as an {@link dev.forebay.pipeline.ControlEndpoint}. What a request
 * does is up to a {@link dev.forebay.observe.ControlMXBean}, which JMX shows too.
 *
 * <p>No class of this package is loaded with {@code <control>false</control>}.
 */
@NullMarked
package dev.forebay.tiered.control;

import org.jspecify.annotations.NullMarked;
