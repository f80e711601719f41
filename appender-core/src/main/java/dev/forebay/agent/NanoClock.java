package dev.forebay.agent;

/** A monotonic clock in nanoseconds with an arbitrary origin; tests replace it. */
@FunctionalInterface
public interface NanoClock {

  /** The clock of the running system. The one place that reads it. */
  NanoClock SYSTEM = System::nanoTime;

  /** Now, in nanoseconds. */
  long nanoTime();
}
