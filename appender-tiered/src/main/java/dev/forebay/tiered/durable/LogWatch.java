package dev.forebay.tiered.durable;

/** Receives events of the log file, on the shipper's thread. Must neither throw nor block. */
public interface LogWatch {

  /** Ignores all events. */
  LogWatch NOBODY =
      new LogWatch() {
        @Override
        public void opened() {}

        @Override
        public void openingFailed(Exception cause) {}

        @Override
        public void changedByOthers() {}
      };

  /** The log is open. */
  void opened();

  /** The log could not be opened; {@code open} also throws the exception. */
  void openingFailed(Exception cause);

  /** Others have moved, removed or changed the log. */
  void changedByOthers();
}
