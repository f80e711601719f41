/**
 * The account of every event: counters by reason and level, their snapshot, the failure listeners
 * and the JMX view.
 *
 * <p>Counts enter from any thread, including those that log; nothing here blocks, allocates per
 * event or calls foreign code on them. Reports leave on the reporter's thread. A leaf: imports
 * nothing else of this project, so that counting can neither block nor make a cycle.
 */
@NullMarked
package dev.forebay.observe;

import org.jspecify.annotations.NullMarked;
