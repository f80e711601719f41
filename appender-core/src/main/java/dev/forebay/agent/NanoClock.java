package dev.forebay.agent;

/** A monotonic clock in nanoseconds with an arbitrary origin; a test gives its own. */
@FunctionalInterface
public interface NanoClock {

  /** The clock of the running system. The one place that reads it. */
  NanoClock SYSTEM = System::nanoTime;

  /** Now, in nanoseconds. */
  long nanoTime();
}
