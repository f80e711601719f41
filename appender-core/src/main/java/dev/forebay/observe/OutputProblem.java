package dev.forebay.observe;

import org.jspecify.annotations.Nullable;

/**
 * Failures of one output since the last report.
 *
 * @param output what failed, for messages
 * @param failures how many attempts failed; 0 if the output works again
 * @param cause the newest cause, if known
 */
public record OutputProblem(String output, long failures, @Nullable Throwable cause) {

  /** The cause in words: its class and message. */
  public String reason() {
    return cause == null ? "unknown cause" : Printable.text(cause.toString());
  }
}
