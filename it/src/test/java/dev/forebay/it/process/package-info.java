/**
 * Lives and deaths of processes: kills at any point, stops, restarts, two at once, and clocks that
 * jump.
 */
package dev.forebay.it.process;
