/** A Ktor application; in Java, so that the build needs no further compiler. */
@NullMarked
package dev.forebay.it.ktor;

import org.jspecify.annotations.NullMarked;
