/** The JVM's own log as an appender: no pause of the JVM waits for a disk. */
@NullMarked
package dev.forebay.jvm;

import org.jspecify.annotations.NullMarked;
