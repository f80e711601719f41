package dev.forebay.tiered.file;

/** Receives events of the log file, on the shipper's thread. Must neither throw nor block. */
public interface LogWatch {

  /** Ignores all events. */
  static LogWatch nobody() {
    return new LogWatch() {};
  }

  /** The log is open. */
  default void opened() {}

  /** The log could not be opened; {@code open} also throws the exception. */
  default void openingFailed(Exception cause) {}
}
