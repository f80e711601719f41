package dev.forebay.it.agent;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a client of a {@link Server} has to say at its end. */
record Client(long read, long longestNs) {

  private static final Pattern LAST = Pattern.compile("written (\\d+) read (\\d+) ms (\\d+)");

  /** Ends a client, which must have got what it asked for. */
  static Client end(Program program) throws Exception {
    if (program.end() != 0) {
      throw new AssertionError(program.output());
    }
    Matcher last = LAST.matcher(program.output());
    if (!last.find() || !last.group(1).equals(last.group(2))) {
      throw new AssertionError("not all was answered: " + program.output());
    }
    long longestMs = Long.parseLong(last.group(3));
    return new Client(Long.parseLong(last.group(2)), TimeUnit.MILLISECONDS.toNanos(longestMs));
  }
}
