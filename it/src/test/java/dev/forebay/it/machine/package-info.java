/** Machines other than a Linux server: what is missing there is neither fatal nor a warning. */
@NullMarked
package dev.forebay.it.machine;

import org.jspecify.annotations.NullMarked;
