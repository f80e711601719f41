package dev.forebay.tiered.file;

import java.util.function.Consumer;

/** Reports only the first of consecutive failures. */
final class FailureStreak {
  private final Consumer<String> warnings;
  // Used by one thread only.
  private boolean failing;

  FailureStreak(Consumer<String> warnings) {
    this.warnings = warnings;
  }

  void failed(String message) {
    if (!failing) {
      failing = true;
      warnings.accept(message);
    }
  }

  void succeeded() {
    failing = false;
  }
}
