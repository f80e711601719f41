package dev.forebay.tiered.durable;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells the user of rolls that did not do what they should, once a streak. */
final class RollReport {
  private final FirstOfStreak failures;
  // Shipper's thread only.
  private @Nullable String policyFailure;

  RollReport(Consumer<String> warnings) {
    this.failures = new FirstOfStreak(warnings);
  }

  /** What the policy had to say of its part; null for nothing. */
  void policySaid(@Nullable String failure) {
    policyFailure = failure;
  }

  /**
   * Which file stands under the name of the active one after the policy's part.
   *
   * @param same whether it is the one that should have been moved away
   */
  void found(Path path, long sizeBytes, boolean same) {
    String cause = policyFailure == null ? "" : ": " + policyFailure;
    if (same) {
      failures.failed(
          "The log "
              + path
              + " could not be rolled and keeps growing, it has "
              + sizeBytes
              + " bytes"
              + cause);
    } else if (policyFailure != null) {
      failures.failed("Rolling the log " + path + " was not completed" + cause);
    } else {
      failures.succeeded();
    }
    policyFailure = null;
  }
}
