package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.InstanceId;
import org.jspecify.annotations.Nullable;

/** Passes on what the listener of our own log should know, and keeps failures separate from it. */
final class StrayListener implements ShippingListener {

  private final String logName;
  private final ShippingListener listener;
  private int failures;
  private @Nullable Exception last;

  StrayListener(String logName, ShippingListener listener) {
    this.logName = logName;
    this.listener = listener;
  }

  /** Failures since the last success. */
  int failures() {
    return failures;
  }

  /** Warns why records stay in a spool, if they do. */
  void reportFailure() {
    Exception cause = last;
    if (cause != null) {
      listener.warn(
          "Records of a dead process cannot be shipped to %s: %s".formatted(logName, cause));
    }
  }

  @Override
  public void recovered(long records) {
    listener.recovered(records);
  }

  @Override
  public void orphanShipped(InstanceId spool, long upTo, long lost) {
    listener.orphanShipped(spool, upTo, lost);
  }

  @Override
  public void warn(String text) {
    listener.warn(text);
  }

  @Override
  public void failed(Exception cause) {
    failures++;
    last = cause;
  }

  @Override
  public void unreadable(Exception cause) {
    failed(cause);
  }

  @Override
  public void worked() {
    failures = 0;
    last = null;
  }
}
