package dev.forebay.tiered.flight;

import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.LoopHold;
import org.jspecify.annotations.Nullable;

/**
 * A dump to be made of a loop. Created by the flusher's thread, done by the shipper's.
 *
 * @param reason as it stands in the file's name
 * @param timeMs when it was triggered, milliseconds since the epoch
 * @param key what the trigger had; null if no event is the trigger
 * @param leftOut triggers since the last dump that caused none
 * @param notRecorded events since the last dump that the loop could not take
 */
record DumpOrder(
    String reason,
    long timeMs,
    EventKey.@Nullable Value key,
    Loop loop,
    LoopHold hold,
    long leftOut,
    long notRecorded) {}
