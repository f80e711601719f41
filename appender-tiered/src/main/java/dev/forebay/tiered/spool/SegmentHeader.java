package dev.forebay.tiered.spool;

/**
 * The header of a segment file.
 *
 * @param version format version
 * @param instance the spool it was written for
 * @param firstSequence sequence of its first record
 * @param segmentBytes size it may grow to
 * @param timeMs when it was begun, milliseconds since the epoch; 0 if not stated
 */
record SegmentHeader(
    int version, InstanceId instance, long firstSequence, int segmentBytes, long timeMs) {}
