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
  private boolean isOrdered = true;

  /** No JSON web token begins before it: a line of their beginnings is looked at once. */
  int noTokenBefore;

  void add(int start, int end, int rule) {
    boolean isNext = count == 0 || start >= starts[count - 1];
    if (start >= end || (isNext && count > 0 && end <= ends[count - 1])) {
      return; // nothing, or found in another form of the line too
    }
    isOrdered &= isNext;
    if (count == starts.length) {
      int more = Math.max(FIRST, 2 * count);
      starts = Arrays.copyOf(starts, more);
      ends = Arrays.copyOf(ends, more);
      rules = Arrays.copyOf(rules, more);
    }
    starts[count] = start;
    ends[count] = end;
    rules[count++] = rule;
  }

  /** Sorts them by their start and removes those within others; in time for a line full of them. */
  void order() {
    if (isOrdered) {
      return;
    }
    long[] order = new long[count];
    for (int i = 0; i < count; i++) {
      order[i] = (long) starts[i] << Integer.SIZE | i;
    }
    Arrays.sort(order);
    int[] oldEnds = ends.clone();
    int[] oldRules = rules.clone();
    count = 0;
    for (long each : order) {
      int from = (int) each;
      if (count == 0 || oldEnds[from] > ends[count - 1]) {
        starts[count] = (int) (each >> Integer.SIZE);
        ends[count] = oldEnds[from];
        rules[count++] = oldRules[from];
      }
    }
    isOrdered = true;
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
