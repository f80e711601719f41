package dev.forebay.benchmarks.lab.child;

import dev.forebay.benchmarks.lab.Peer;
import java.time.Duration;

/** What differs between logging systems. Used by the measuring thread. */
interface Backend {

  /** Starts the logging system of a peer, which finds its configuration by system properties. */
  static Backend start(Peer peer) {
    return switch (peer) {
      case LOG4J2, LOG4J2_DISRUPTOR4 -> new Log4j2Backend();
      case TINYLOG -> new TinylogBackend();
      default -> new LogbackBackend();
    };
  }

  /**
   * Waits until all that was logged has arrived where it goes to.
   *
   * @return whether it has; false when the time is over, or when the only way to tell is to watch
   *     the files
   */
  default boolean drain(Duration timeout) {
    return false;
  }

  /** Stops the logging system. */
  void stop();

  /** Events that it says it dropped; 0 when it does not say. */
  default long dropped() {
    return 0;
  }

  /** Events that are left in its spool. */
  default long inFlight() {
    return 0;
  }

  /** Events that its flight recorder holds now. */
  default long held() {
    return 0;
  }

  /** Events that its flight recorder held once and holds no more. */
  default long expired() {
    return 0;
  }

  /** Lines that it added by itself. */
  default long reports() {
    return 0;
  }
}
