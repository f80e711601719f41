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

  /** No JSON web token begins before it: a line of their beginnings is looked at once. */
  int noTokenBefore;

  void add(int start, int end, int rule) {
    int at = start < end ? place(start) : 0;
    if (start >= end || (at > 0 && end <= ends[at - 1])) {
      return; // nothing, or found in another form of the line too
    }
    if (count == starts.length) {
      int more = Math.max(FIRST, 2 * count);
      starts = Arrays.copyOf(starts, more);
      ends = Arrays.copyOf(ends, more);
      rules = Arrays.copyOf(rules, more);
    }
    for (int[] each : new int[][] {starts, ends, rules}) {
      System.arraycopy(each, at, each, at + 1, count - at);
    }
    count++;
    starts[at] = start;
    ends[at] = end;
    rules[at] = rule;
  }

  /** After all that begin there or before, usually at the end. */
  private int place(int start) {
    if (count == 0 || starts[count - 1] <= start) {
      return count;
    }
    int low = 0;
    int high = count - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (starts[middle] <= start) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
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
