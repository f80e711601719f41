package dev.forebay.it.demo.app;

/** Measures log calls. A call belongs to the phase in which it began. */
final class CallTimer {

  private final PhaseHistograms histograms = new PhaseHistograms();

  /** Written by the thread that takes commands, read by Play's threads. */
  private volatile Phase phase = Phase.WARM_UP;

  /** From now on calls are counted for this phase. */
  void enter(Phase next) {
    phase = next;
  }

  /** Runs and measures one log call. */
  void time(Runnable logCall) {
    Phase begunIn = phase;
    long startNs = System.nanoTime();
    logCall.run();
    histograms.record(begunIn, System.nanoTime() - startNs);
  }

  /** What was measured so far. */
  Latency latency(Phase of) {
    return histograms.latency(of);
  }
}
