package dev.forebay.it.demo;

import dev.forebay.it.demo.Report.Side;
import dev.forebay.it.demo.app.Figures;
import dev.forebay.it.demo.app.Latency;
import dev.forebay.it.demo.app.Longest.Slots;
import dev.forebay.it.demo.app.Phase;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Results of applications that never ran. */
final class MadeSides {

  private static final long MS = 1_000_000;

  private MadeSides() {}

  /** Of words like {@code counted=100}. */
  static Figures figures(String words) {
    return new Figures(
        Stream.of(words.split(" "))
            .filter(word -> !word.isEmpty())
            .map(word -> word.split("="))
            .collect(Collectors.toMap(word -> word[0], word -> Long.valueOf(word[1]))));
  }

  /** Offered 103 events, of which so many were dropped. */
  static Side forebay(long longestCallMs, long longestRequestMs, long dropped, String error) {
    String figures =
        "counted=100 offered=103 reports=3 delivered=%d dropped=%d inFlight=0 dropped.SHED.INFO=%d";
    return side(
        "Forebay",
        longestCallMs,
        longestRequestMs,
        new Account(
            figures(figures.formatted(103 - dropped, dropped, dropped)),
            new LogFiles(1, 103 - dropped, 0, "")),
        error);
  }

  /** Was given 100 events, of which so many are in no file. */
  static Side async(long longestCallMs, long longestRequestMs, long missing) {
    return side(
        "AsyncAppender",
        longestCallMs,
        longestRequestMs,
        new Account(figures("counted=100"), new LogFiles(2, 100 - missing, 0, "")),
        "");
  }

  private static Side side(
      String title, long callMs, long requestMs, Account account, String error) {
    return new Side(
        title,
        Map.of(Phase.DURING, new Latency(50, 1_000, 2_000, 3_000, callMs * MS)),
        Map.of(Phase.DURING, new Latency(5, MS, 2 * MS, 3 * MS, requestMs * MS)),
        0,
        account,
        error,
        new Slots(5_000, List.of(1_000L, 0L, callMs * MS)),
        new Slots(5_001, List.of(requestMs * MS)));
  }
}
