package dev.forebay.tiered.durable;

import java.util.function.Consumer;

/** Passes on the first failure of an unbroken run of them and keeps quiet about the others. */
final class FailureStreak {
  private final Consumer<String> warnings;
  // Shipper's thread only.
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
