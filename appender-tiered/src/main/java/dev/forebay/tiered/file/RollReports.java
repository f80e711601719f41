package dev.forebay.tiered.file;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What became of each roll: a WARN for the first of consecutive failures, and an answer to whoever
 * asked for it. For the shipper's thread, unless a comment says otherwise.
 */
final class RollReports {

  private final FailureStreak failures;

  /** The answer for all who ask before the next roll. Replaced by them, with this locked. */
  private volatile @Nullable CompletableFuture<String> answer;

  /** Why the policy did not complete its part of the current roll. */
  private @Nullable String failure;

  RollReports(Consumer<String> warnings) {
    this.failures = new FailureStreak(warnings);
  }

  /** As {@link RollingLog#requestRoll}. Any thread. */
  synchronized CompletableFuture<String> ask() {
    CompletableFuture<String> next = answer;
    if (next == null || next.isDone()) {
      next = new CompletableFuture<>();
      answer = next;
    }
    return next;
  }

  /** Whether someone waits for a roll. Any thread. */
  boolean isAskedFor() {
    CompletableFuture<String> asked = answer;
    return asked != null && !asked.isDone();
  }

  /** Whether someone asked for a roll, and the roller has made it due. */
  boolean makeDueIfAsked(Roller roller, String activeName, long sizeBytes) {
    if (!isAskedFor()) {
      return false;
    }
    String obstacle = roller.makeDue(activeName, sizeBytes);
    if (obstacle != null) {
      answer(obstacle);
    }
    return obstacle == null;
  }

  /** Answers whoever asked: "" for a roll that succeeded, otherwise why there was none. */
  void answer(String obstacle) {
    CompletableFuture<String> asked = answer;
    boolean unused = asked != null && asked.complete(obstacle);
  }

  /** Remembers what the policy said to its part of the roll: null if it succeeded. */
  void policySaid(@Nullable String obstacle) {
    failure = obstacle;
  }

  /** Reports the roll that led to this file; {@code notMoved} if it is the one from before. */
  void report(ActiveFile opened, boolean notMoved) {
    String cause = failure == null ? "" : ": " + failure;
    if (notMoved) {
      failed(
          "The log %s could not be rolled and keeps growing; it now has %d bytes%s"
              .formatted(opened.path(), opened.position(), cause));
    } else if (failure != null) {
      failed("Rolling the log " + opened.path() + " was not completed" + cause);
    } else {
      failures.succeeded();
      answer("");
    }
    failure = null;
  }

  private void failed(String text) {
    failures.failed(text);
    answer(text);
  }
}
