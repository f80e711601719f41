package dev.forebay.tiered.jvm;

import java.nio.charset.StandardCharsets;

/**
 * Bytes of the JVM's log that never reach ours.
 *
 * @param atLeast whether there may be more
 */
record Gap(long bytes, boolean atLeast) {

  /** How a line of ours among the JVM's begins; none of the JVM does. */
  private static final String MARK = "[forebay] ";

  static final Gap NONE = new Gap(0, false);

  static Gap atLeast(long bytes) {
    return new Gap(bytes, true);
  }

  /** Whether bytes are, or may be, missing. */
  boolean exists() {
    return bytes > 0 || atLeast;
  }

  Gap and(Gap next) {
    return new Gap(bytes + next.bytes, atLeast || next.atLeast);
  }

  /** The line that stands in the log in their place. */
  byte[] line() {
    return notice(
        "%s bytes of the JVM's log are missing here: it wrote faster than they could be stored; give <memory>, or the filesize of its -Xlog, more"
            .formatted(bytes == 0 ? "perhaps some" : (atLeast ? "at least " : "") + bytes));
  }

  /** The line before the first one of an output of ours. */
  static byte[] beginLine() {
    return notice(
        "the JVM's log begins here: what the JVM wrote before is missing, unless it stands above");
  }

  private static byte[] notice(String text) {
    return (MARK + text + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
