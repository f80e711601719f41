/** A Dropwizard application, configured by the example of this project. */
@NullMarked
package dev.forebay.it.dropwizard;

import org.jspecify.annotations.NullMarked;
