/**
 * Background threads. An {@link dev.forebay.agent.Agent} is work without a loop; an {@link
 * dev.forebay.agent.AgentThread} is the loop: it calls the work, parks when there is none, survives
 * what the work throws and stops within a bound.
 *
 * <p>An agent enters, and its calls leave on the agent's own thread; wakes and the request to stop
 * come from any thread. Imports nothing else of this project, and knows nothing of logging.
 */
@NullMarked
package dev.forebay.agent;

import org.jspecify.annotations.NullMarked;
