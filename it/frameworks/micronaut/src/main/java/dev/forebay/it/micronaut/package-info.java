/** A Micronaut application. */
@NullMarked
package dev.forebay.it.micronaut;

import org.jspecify.annotations.NullMarked;
