package dev.forebay.redact;

import java.util.Arrays;

/** Ranges to replace, each with its rule. For one thread, during one line. */
final class Hits {

  private static final int FIRST = 8;

  private static final int[] NONE = {};

  private int[] starts = NONE; // most lines have none
  private int[] ends = NONE;
  private int[] rules = NONE;
  private int count;

  void add(int start, int end, int rule) {
    if (start >= end) {
      return;
    }
    for (int i = count - 1; i >= 0; i--) {
      if (starts[i] <= start && end <= ends[i]) {
        return; // found in another form of the line too
      }
    }
    if (count == starts.length) {
      int more = Math.max(FIRST, 2 * count);
      starts = Arrays.copyOf(starts, more);
      ends = Arrays.copyOf(ends, more);
      rules = Arrays.copyOf(rules, more);
    }
    int at = count++;
    while (at > 0 && starts[at - 1] > start) { // in order, usually at the end
      starts[at] = starts[at - 1];
      ends[at] = ends[at - 1];
      rules[at] = rules[at - 1];
      at--;
    }
    starts[at] = start;
    ends[at] = end;
    rules[at] = rule;
  }

  int count() {
    return count;
  }

  int start(int i) {
    return starts[i];
  }

  int end(int i) {
    return ends[i];
  }

  int rule(int i) {
    return rules[i];
  }
}
