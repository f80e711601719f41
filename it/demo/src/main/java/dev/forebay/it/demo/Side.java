package dev.forebay.it.demo;

import dev.forebay.it.demo.app.Latency;
import dev.forebay.it.demo.app.Phase;
import java.util.Map;

/**
 * The results of one of the two applications.
 *
 * @param title the appender it logs through
 * @param calls latency of its log calls
 * @param http latency of requests to it
 * @param failedRequests requests without a good answer
 * @param account where its events went
 * @param appenderError the newest failure its appender admits, "" for none
 */
record Side(
    String title,
    Map<Phase, Latency> calls,
    Map<Phase, Latency> http,
    long failedRequests,
    Account account,
    String appenderError) {}
