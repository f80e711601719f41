/** The pauses of a log as GCToolkit reads them. */
@NullMarked
package dev.forebay.it.gctoolkit;

import org.jspecify.annotations.NullMarked;
