package dev.forebay.tiered.flight;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.Voice;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * What a flight recorder is given.
 *
 * @param log the active log file; dumps are written beside it
 * @param disk where both are
 * @param forces whether dumps are forced to the disk
 * @param places where dead processes may have left loops
 * @param voice reports to the user
 * @param clock monotonic
 * @param wallClockMs milliseconds since the epoch
 */
public record FlightContext(
    Path log,
    Disk disk,
    boolean forces,
    LoopPlaces places,
    Voice voice,
    NanoClock clock,
    LongSupplier wallClockMs) {}
