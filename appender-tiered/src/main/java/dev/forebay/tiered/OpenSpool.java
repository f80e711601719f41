package dev.forebay.tiered;

import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;

/**
 * A spool that was opened, and what it was opened for.
 *
 * @param directory where it is
 * @param log whose records it has
 * @param inHeap whether it is lost with the process
 */
record OpenSpool(SpoolDirectory directory, Spool spool, LogIdentity log, boolean inHeap) {}
