package dev.forebay.pipeline;

/**
 * A rate limit.
 *
 * @param logger its name, without one: all
 * @param perSecond events a second in the long run; 0: any number
 * @param burst events at once, at least 1
 * @param duplicates events a second of one logger with the same message template; 0: any number
 * @param exemptFrom events of this level index and above always pass
 */
public record LimitSettings(
    String logger, int perSecond, int burst, int duplicates, int exemptFrom) {}
