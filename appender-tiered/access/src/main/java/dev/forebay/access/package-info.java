/**
 * The appenders for access logs. Access events of logback-access enter, on the threads that serve
 * requests; a server uses its request again for the next one, so what a line needs is taken there.
 * They travel as log events through an appender of {@code dev.forebay} or {@code
 * dev.forebay.tiered}, and leave as lines or, on the flusher's thread, as copies for other
 * appenders.
 */
@NullMarked
package dev.forebay.access;

import org.jspecify.annotations.NullMarked;
