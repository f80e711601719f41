/**
 * However a process ends and whenever it starts again, whatever it spooled is in the log exactly
 * once: kills at any point, stops, restarts, several processes at once, clocks that jump.
 */
package dev.forebay.it.process;
