/** The agent that carries the JVM's log, in programs that know nothing of it. */
@NullMarked
package dev.forebay.it.agent;

import org.jspecify.annotations.NullMarked;
