package dev.forebay.tiered.flight;

/** What became of dumps. Written by the shipper's thread, read by any. */
final class FlightMetrics {
  private volatile long dumps;
  private volatile long failed;
  private volatile long events;
  private volatile String last = "";

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void dumped(String file, long copied) {
    last = file;
    events += copied;
    dumps++;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void failed() {
    failed++;
  }

  long dumps() {
    return dumps;
  }

  long failedDumps() {
    return failed;
  }

  /** Copies of events in dumps: no term of the account. */
  long events() {
    return events;
  }

  String last() {
    return last;
  }
}
