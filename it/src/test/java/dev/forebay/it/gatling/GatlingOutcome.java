package dev.forebay.it.gatling;

import dev.forebay.it.framework.BootProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What became of one load.
 *
 * @param rows of Gatling's report
 * @param exit how Gatling ended
 * @param window how long it lasted
 * @param end of the application
 * @param log what is in the files after that
 * @param dumps of a flight recorder: the lines of each
 * @param left directories in the spool after that
 */
record GatlingOutcome(
    Map<String, GatlingReport.Row> rows,
    int exit,
    Duration window,
    GatlingTarget.End end,
    GatlingLog log,
    List<List<String>> dumps,
    int left) {

  GatlingReport.Row all() {
    return rows.getOrDefault(GatlingReport.ALL, GatlingReport.Row.NONE);
  }

  /** Requests that started while the disk was as the condition says. */
  GatlingReport.Row inWindow() {
    return rows.getOrDefault(GatlingRun.WINDOW, GatlingReport.Row.NONE);
  }

  double requestsPerSecond() {
    return inWindow().requests() * 1e9 / window.toNanos();
  }

  double okPercent() {
    return all().requests() == 0 ? 0 : 100.0 * all().ok() / all().requests();
  }

  /** Events, the appender's own included, neither in the log nor in a recorder. */
  long lost() {
    BootProcess.Account account = end.account();
    long recorded = account == null ? 0 : account.recorded();
    return end.counted() + log.reports().size() - log.count() - recorded;
  }

  /** What Forebay promises and did not hold; empty if it held all. */
  List<String> faults(GatlingLoad load) {
    List<String> faults = new ArrayList<>();
    require(faults, "Gatling's exit code", exit, 0);
    require(faults, "requests", all().requests(), load.allRequests());
    require(faults, "requests that failed", all().ko(), 0);
    require(faults, "lines in the files, for each event offered", log.count(), end.counted());
    require(faults, "lines that are torn", log.torn(), 0);
    require(faults, "lines that stand there again", log.doubled(), 0);
    long ofOrders = load.allRequests() * GatlingLog.LINES_OF_AN_ORDER;
    require(faults, "lines of orders", log.ofOrders(), ofOrders);
    require(faults, "directories left in the spool", left, 0);
    BootProcess.Account account = end.account();
    if (account == null) {
      faults.add("the appender has no account");
    } else {
      require(faults, "events offered, says the appender", account.offered(), end.counted());
      require(faults, "events dropped", account.dropped(), 0);
      require(faults, "events in flight at the end", account.inFlight(), 0);
    }
    if (!end.orderly()) {
      faults.add("the application did not end in order");
    }
    return faults;
  }

  private static void require(List<String> faults, String what, long is, long expected) {
    if (is != expected) {
      faults.add(what + ": " + is + ", not " + expected);
    }
  }
}
