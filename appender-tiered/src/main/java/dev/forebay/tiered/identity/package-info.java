/**
 * Whose a spool is: the instance that wrote it, the log that it is for, and the note in it that
 * names that log to other processes.
 */
@NullMarked
package dev.forebay.tiered.identity;

import org.jspecify.annotations.NullMarked;
