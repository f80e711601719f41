/**
 * Background threads. An {@link dev.forebay.agent.Agent} is work without a loop; an {@link
 * dev.forebay.agent.AgentThread} is the loop: it calls the work, parks when there is none, survives
 * exceptions and stops within a bound. {@code Sleepers} waits for those that sleep.
 *
 * <p>An agent enters; its methods are called on its own thread. Wake-ups and stop requests come
 * from any thread. Imports nothing else of this project and knows nothing of logging.
 */
@NullMarked
package dev.forebay.agent;

import org.jspecify.annotations.NullMarked;
