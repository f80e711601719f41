package dev.forebay.tiered.durable;

/** Told what becomes of the log file, on the shipper's thread. Must neither throw nor block. */
public interface LogWatch {

  /** Nobody is told. */
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

  /** The log could not be opened; the exception goes to the caller of {@code open} too. */
  void openingFailed(Exception cause);

  /** Others have moved, removed or changed the log. */
  void changedByOthers();
}
