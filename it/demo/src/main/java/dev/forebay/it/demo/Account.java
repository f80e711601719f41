package dev.forebay.it.demo;

import dev.forebay.it.demo.app.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where the events of one application went.
 *
 * @param figures its last figures, taken when it had stopped logging and its appender was empty
 * @param files what is in its log files
 */
record Account(Figures figures, LogFiles files) {

  /** Whether the appender counts what it drops; the others leave it to the reader of the files. */
  boolean isKept() {
    return figures.values().containsKey(Figures.OFFERED);
  }

  /** Events given to the appender, as it says itself or, if it does not, as counted before it. */
  long offered() {
    return isKept() ? figures.get(Figures.OFFERED) : figures.get(Figures.COUNTED);
  }

  /** Events that are neither in the files nor in the figures. */
  long missing() {
    long lost = isKept() ? figures.get(Figures.DROPPED) + figures.get(Figures.IN_FLIGHT) : 0;
    return offered() - files.lines() - lost;
  }

  /** Dropped events: reason to level to count. */
  Map<String, Map<String, Long>> dropped() {
    Map<String, Map<String, Long>> reasons = new TreeMap<>();
    figures
        .values()
        .forEach(
            (name, count) -> {
              if (name.startsWith(Figures.DROPPED_BY)) {
                String[] words = name.substring(Figures.DROPPED_BY.length()).split("\\.", 2);
                reasons.computeIfAbsent(words[0], reason -> new TreeMap<>()).put(words[1], count);
              }
            });
    return reasons;
  }

  /** What does not agree, in words; empty when all is well. */
  List<String> disagreements() {
    List<String> found = new ArrayList<>();
    if (isKept()) {
      compare(
          found,
          "offered",
          figures.get(Figures.OFFERED),
          "counted before the appender + its own reports",
          figures.get(Figures.COUNTED) + figures.get(Figures.REPORTS));
      compare(
          found,
          "offered",
          figures.get(Figures.OFFERED),
          "delivered + dropped + in flight",
          figures.get(Figures.DELIVERED)
              + figures.get(Figures.DROPPED)
              + figures.get(Figures.IN_FLIGHT));
      compare(
          found,
          "dropped",
          figures.get(Figures.DROPPED),
          "dropped by reason and level",
          dropped().values().stream().mapToLong(Account::sum).sum());
      compare(
          found, "delivered", figures.get(Figures.DELIVERED), "lines in the files", files.lines());
    } else {
      compare(found, "offered", offered(), "lines in the files", files.lines());
    }
    if (files.invalid() > 0) {
      found.add(files.invalid() + " lines are not valid JSON, first " + files.firstInvalid());
    }
    return found;
  }

  /** The sum of dropped events by level, of one reason. */
  static long sum(Map<String, Long> byLevel) {
    return byLevel.values().stream().mapToLong(Long::longValue).sum();
  }

  private static void compare(
      List<String> found, String left, long leftCount, String right, long rightCount) {
    if (leftCount != rightCount) {
      found.add(left + " " + leftCount + " is not " + right + " " + rightCount);
    }
  }
}
