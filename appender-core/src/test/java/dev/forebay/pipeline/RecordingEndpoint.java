package dev.forebay.pipeline;

import org.jspecify.annotations.Nullable;

/** Counts how often it is tended. */
final class RecordingEndpoint implements ControlEndpoint {

  int tended;

  @Nullable Error thrown;

  @Override
  public void tend() {
    tended++;
    if (thrown != null) {
      throw thrown;
    }
  }

  @Override
  public void close() {}
}
