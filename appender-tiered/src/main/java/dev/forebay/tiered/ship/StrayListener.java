package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.InstanceId;
import org.jspecify.annotations.Nullable;

/** Passes on what concerns everybody, and keeps failures apart from those of our own log. */
final class StrayListener implements ShippingListener {

  private final String logName;
  private final ShippingListener listener;
  private int failures;
  private @Nullable Exception last;

  StrayListener(String logName, ShippingListener listener) {
    this.logName = logName;
    this.listener = listener;
  }

  /** Since anything worked. */
  int failures() {
    return failures;
  }

  /** Says why records stay in a spool, if they do. */
  void tellFailure() {
    Exception cause = last;
    if (cause != null) {
      listener.warn(
          "Records of a process that is gone cannot be shipped to %s: %s"
              .formatted(logName, cause));
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
