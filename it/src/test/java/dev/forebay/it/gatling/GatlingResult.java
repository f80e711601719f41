package dev.forebay.it.gatling;

import dev.forebay.it.framework.BootProcess;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A run that was tried.
 *
 * @param repetition from 1 on
 * @param outcome null if there is none
 * @param problem why there is none, else empty
 */
record GatlingResult(
    GatlingRun run, int repetition, @Nullable GatlingOutcome outcome, String problem) {

  /** All in one line. */
  String line() {
    if (outcome == null) {
      return "%s, repetition %d: failed, %s".formatted(run, repetition, problem);
    }
    GatlingReport.Row all = outcome.all();
    GatlingReport.Row window = outcome.inWindow();
    BootProcess.Account account = outcome.end().account();
    return String.format(
        Locale.ROOT,
        "%s, repetition %d: %d requests, %d KO, longest %d ms; in the window %d, %.0f a second,"
            + " p50 %d p95 %d p99 %d p99.9 %d longest %d ms, %d KO; %d events offered, %d lines"
            + " (%d torn), %d lost%s; Gatling ended with %d",
        run,
        repetition,
        all.requests(),
        all.ko(),
        all.maxMs(),
        window.requests(),
        outcome.requestsPerSecond(),
        window.p50Ms(),
        window.p95Ms(),
        window.p99Ms(),
        window.p999Ms(),
        window.maxMs(),
        window.ko(),
        outcome.end().counted(),
        outcome.log().count(),
        outcome.log().torn(),
        outcome.lost(),
        account == null ? "" : ", " + account.dropped() + " dropped " + outcome.log().reports(),
        outcome.exit());
  }
}
