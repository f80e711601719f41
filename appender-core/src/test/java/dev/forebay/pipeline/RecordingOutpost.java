package dev.forebay.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Remembers what was done to it. */
final class RecordingOutpost implements Outpost {

  final List<String> calls = new ArrayList<>();
  boolean isDue;

  /** Whether it is due again after each call of {@link #tend}. */
  boolean staysDue;

  /** What each call throws, if any. */
  @Nullable Error thrown;

  @Override
  public boolean isDue() {
    return isDue || staysDue;
  }

  @Override
  public void tend() {
    isDue = false;
    called("tended");
  }

  @Override
  public void close() {
    called("closed");
  }

  @Override
  public void endWithJvm() {
    called("ended");
  }

  private void called(String what) {
    calls.add(what);
    if (thrown != null) {
      throw thrown;
    }
  }
}
