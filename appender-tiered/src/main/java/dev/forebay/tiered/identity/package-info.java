/**
 * Whose a spool is: the instance that wrote it, the log that it is for, and the note in it that
 * tells others of that log.
 */
@NullMarked
package dev.forebay.tiered.identity;

import org.jspecify.annotations.NullMarked;
