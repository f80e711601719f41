/**
 * How far a log has got: its position and that of each spool whose records are in it, written by
 * turns into two slots of a file beside the spools, and read again after a kill. A checkpoint is a
 * value; only {@code CheckpointFile} writes one.
 */
@NullMarked
package dev.forebay.tiered.checkpoint;

import org.jspecify.annotations.NullMarked;
