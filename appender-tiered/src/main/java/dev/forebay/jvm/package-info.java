/**
 * The JVM's own log as an appender: no pause of the JVM waits for a disk. With attached appenders,
 * the lines leave as events too, through a ring of their own.
 */
@NullMarked
package dev.forebay.jvm;

import org.jspecify.annotations.NullMarked;
