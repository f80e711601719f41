/**
 * The JVM's own log: has the JVM write it to tmpfs, and reads it from there.
 *
 * <p>The flusher's thread holds the JVM's files by links, counts their lines and passes them to a
 * listener, perhaps; the files are a spool, which the shipper's thread reads. What a dead process
 * left is counted in the same way before it is shipped.
 */
@NullMarked
package dev.forebay.tiered.jvm;

import org.jspecify.annotations.NullMarked;
