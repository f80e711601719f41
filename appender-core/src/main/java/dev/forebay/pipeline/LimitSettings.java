package dev.forebay.pipeline;

/**
 * A rate limit.
 *
 * @param logger its name, without one: all
 * @param perSecond events a second in the long run, at least 1
 * @param burst events at once, at least 1
 * @param exemptFrom events of this level index and above always pass
 */
public record LimitSettings(String logger, int perSecond, int burst, int exemptFrom) {}
