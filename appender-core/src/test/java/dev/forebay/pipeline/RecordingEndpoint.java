package dev.forebay.pipeline;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Remembers what was done to it. */
final class RecordingEndpoint implements ControlEndpoint {

  final List<String> calls = new CopyOnWriteArrayList<>();

  /** What each call throws, if any. */
  volatile @Nullable Error thrown;

  @Override
  public void tend() {
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
    Error error = thrown;
    if (error != null) {
      throw error;
    }
  }
}
