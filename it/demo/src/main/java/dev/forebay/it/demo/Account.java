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

  /** Dropped events by reason and level. */
  Map<String, Long> dropped() {
    Map<String, Long> dropped = new TreeMap<>();
    figures.values().keySet().stream()
        .filter(name -> name.startsWith(Figures.DROPPED_BY))
        .forEach(name -> dropped.put(name.substring(Figures.DROPPED_BY.length()), get(name)));
    return dropped;
  }

  /** What does not agree, in words; empty when all is well. */
  List<String> disagreements() {
    List<String> found = new ArrayList<>();
    if (isKept()) {
      long known = get(Figures.DELIVERED) + get(Figures.DROPPED) + get(Figures.IN_FLIGHT);
      long byReason = dropped().values().stream().mapToLong(Long::longValue).sum();
      String before = "counted before the appender + its own reports";
      compare(found, "offered", before, get(Figures.COUNTED) + get(Figures.REPORTS));
      compare(found, "offered", "delivered + dropped + in flight", known);
      compare(found, "dropped", "dropped by reason and level", byReason);
      compare(found, "delivered", "lines in the files", files.lines());
    } else if (offered() != files.lines()) {
      found.add("offered " + offered() + " is not lines in the files " + files.lines());
    }
    if (files.invalid() > 0) {
      found.add(files.invalid() + " lines are invalid, first " + files.firstInvalid());
    }
    return found;
  }

  private long get(String figure) {
    return figures.get(figure);
  }

  private void compare(List<String> found, String figure, String other, long count) {
    if (get(figure) != count) {
      found.add(figure + " " + get(figure) + " is not " + other + " " + count);
    }
  }

  @Override
  public String toString() {
    return isKept()
        ? String.format(
            "%,d offered (%,d of the application + %,d of its own, about drops)"
                + " = %,d delivered + %,d dropped + %,d in flight; %,d lines.",
            offered(),
            get(Figures.COUNTED),
            get(Figures.REPORTS),
            get(Figures.DELIVERED),
            get(Figures.DROPPED),
            get(Figures.IN_FLIGHT),
            files.lines())
        : String.format(
            "%,d offered, %,d lines; %,d missing: it does not count what it drops.",
            offered(), files.lines(), missing());
  }
}
