/**
 * The part of the agent that the application does not see. In: the agent's arguments. Out: a {@link
 * dev.forebay.jvm.JvmLogAppender} in a logger context of its own, and messages on standard error.
 * Runs on the agent's thread.
 */
@NullMarked
package dev.forebay.javaagent.log;

import org.jspecify.annotations.NullMarked;
