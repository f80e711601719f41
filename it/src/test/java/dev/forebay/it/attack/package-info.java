/**
 * Attacks on the promises: scenarios drawn at random from a seed, each a process of its own that
 * logs while something is done to it, judged by the oracle. {@link dev.forebay.it.attack.Scenario}
 * says what is drawn, {@link dev.forebay.it.attack.Trial} plays it.
 */
package dev.forebay.it.attack;
