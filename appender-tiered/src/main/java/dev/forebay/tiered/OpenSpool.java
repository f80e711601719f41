package dev.forebay.tiered;

import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;

/**
 * An open spool and its purpose.
 *
 * @param directory where it is
 * @param log the log of its records
 * @param inHeap whether it is lost with the process
 * @param onDisk whether it is on a disk, which may stall
 */
record OpenSpool(
    SpoolDirectory directory, Spool spool, LogIdentity log, boolean inHeap, boolean onDisk) {}
