package dev.forebay.benchmarks.lab.host;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the log disk of a run, driven by what the child says. Its methods are called in
 * this order, the first three on the thread that reads the child; closing ends the fault.
 */
interface Disturbance extends AutoCloseable {

  /** The warm-up begins. */
  void ready() throws IOException;

  /** The measured time begins; the time is that of System.nanoTime. */
  void measuring(long nanos);

  /** The measured time is over. */
  void measured(long nanos);

  /** Ends the fault if it is not over. */
  @Override
  void close();

  /** When it was; to be asked after closing. */
  Window window();

  /** Why it was not as it should have been; null when it was. To be asked after closing. */
  @Nullable String problem();

  /** Milliseconds since the begin of the measured time; both -1 when there was nothing. */
  record Window(long fromMs, long toMs) {
    static final Window NONE = new Window(-1, -1);
  }

  /** Nothing happens. */
  final class Nothing implements Disturbance {
    @Override
    public void ready() {}

    @Override
    public void measuring(long nanos) {}

    @Override
    public void measured(long nanos) {}

    @Override
    public void close() {}

    @Override
    public Window window() {
      return Window.NONE;
    }

    @Override
    public @Nullable String problem() {
      return null;
    }
  }
}
