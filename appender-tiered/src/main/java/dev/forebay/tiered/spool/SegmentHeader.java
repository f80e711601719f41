package dev.forebay.tiered.spool;

/**
 * What a segment file says about itself.
 *
 * @param version of the format
 * @param instance the spool it was written for
 * @param firstSequence of its first record
 * @param segmentBytes size it may grow to
 */
record SegmentHeader(int version, InstanceId instance, long firstSequence, int segmentBytes) {}
