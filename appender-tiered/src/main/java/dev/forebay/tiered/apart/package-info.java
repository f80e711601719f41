/**
 * Ships the spools of other processes, living and dead: in a process of its own that knows of each
 * log what a description in its spool says.
 */
@NullMarked
package dev.forebay.tiered.apart;

import org.jspecify.annotations.NullMarked;
