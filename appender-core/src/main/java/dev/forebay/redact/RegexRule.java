package dev.forebay.redact;

import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A regular expression of the user's, which may look at each character so many times. */
final class RegexRule {

  /** Looks at characters, for each of a line. */
  static final int STEPS = 100;

  /** Looks beyond those, so that a short line has enough. */
  static final int STEPS_MORE = 10_000;

  private final Pattern pattern;
  private final int rule;

  RegexRule(Pattern pattern, int rule) {
    this.pattern = pattern;
    this.rule = rule;
  }

  int number() {
    return rule;
  }

  /** Adds what it matches; false if it takes too long or too much of the stack. */
  boolean find(Units line, Hits hits) {
    int length = line.contentLength();
    Counted text =
        new Counted(line.chars, 0, length, new AtomicLong(STEPS_MORE + (long) STEPS * length));
    try {
      for (Matcher match = pattern.matcher(text); match.find(); ) {
        hits.add(line.start(match.start()), line.start(match.end()), rule);
      }
      return true;
    } catch (ExceededException | StackOverflowError e) {
      return false;
    }
  }

  /** A line, or a part of it, that counts how often its characters are looked at. */
  private static final class Counted implements CharSequence {

    private final char[] text;
    private final int from;
    private final int to;

    /** The looks that are left, shared by the parts. */
    private final AtomicLong left;

    Counted(char[] text, int from, int to, AtomicLong left) {
      this.text = text;
      this.from = from;
      this.to = to;
      this.left = left;
    }

    @Override
    public int length() {
      return to - from;
    }

    @Override
    public char charAt(int index) {
      long rest = left.getPlain() - 1;
      left.setPlain(rest);
      if (rest < 0) {
        throw new ExceededException();
      }
      return text[from + index];
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Counted(text, from + start, from + end, left);
    }

    @Override
    public String toString() {
      return new String(text, from, to - from);
    }
  }

  /** No stack trace: it is as frequent as the lines. */
  private static final class ExceededException extends RuntimeException {

    private static final long serialVersionUID = 1;

    ExceededException() {
      super(null, null, false, false);
    }
  }
}
