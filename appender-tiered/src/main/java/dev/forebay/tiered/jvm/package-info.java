/**
 * The JVM's own log: has the JVM write it to tmpfs, and reads it from there.
 *
 * <p>Bytes of the JVM's files enter on the flusher's thread and leave as whole lines, each a record
 * for the spool, from where they go the way of all records; a listener may get them too. What a
 * dead process left in its files becomes a spool of its own, before any other of that log is
 * shipped.
 */
@NullMarked
package dev.forebay.tiered.jvm;

import org.jspecify.annotations.NullMarked;
