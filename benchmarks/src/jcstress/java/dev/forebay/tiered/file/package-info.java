/** Stress tests of the package of the same name; beside it to see what it hides. */
@NullMarked
package dev.forebay.tiered.file;

import org.jspecify.annotations.NullMarked;
