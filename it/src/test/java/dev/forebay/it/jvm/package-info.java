/** The JVM's own log: real JVMs, killed, stopped, disturbed, beside what they really wrote. */
@NullMarked
package dev.forebay.it.jvm;

import org.jspecify.annotations.NullMarked;
