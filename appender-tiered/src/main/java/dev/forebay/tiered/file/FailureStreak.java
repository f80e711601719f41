package dev.forebay.tiered.file;

import dev.forebay.agent.Voice;

/** Reports only the first of consecutive failures. */
final class FailureStreak {
  private final Voice voice;
  // Used by one thread only.
  private boolean failing;

  FailureStreak(Voice voice) {
    this.voice = voice;
  }

  void failed(String message) {
    if (!failing) {
      failing = true;
      voice.warn(message);
    }
  }

  void succeeded() {
    failing = false;
  }
}
