/**
 * Attacks on the promises: scenarios drawn at random from a seed, each a process of its own that
 * logs while something is done to it, judged from outside by the oracle and by the law. {@link
 * dev.forebay.it.attack.Scenario} says what is drawn, {@link dev.forebay.it.attack.Trial} plays it,
 * {@link dev.forebay.it.attack.Victim} is the process, {@link dev.forebay.it.attack.Judge} judges.
 */
package dev.forebay.it.attack;
