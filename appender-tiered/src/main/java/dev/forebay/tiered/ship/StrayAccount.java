package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.InstanceId;
import org.jspecify.annotations.Nullable;

/** Passes on what concerns everybody, and keeps failures apart from those of our own log. */
final class StrayAccount implements ShipmentAccount {

  private final String logName;
  private final ShipmentAccount account;
  private int failures;
  private @Nullable Exception last;

  StrayAccount(String logName, ShipmentAccount account) {
    this.logName = logName;
    this.account = account;
  }

  /** Since anything worked. */
  int failures() {
    return failures;
  }

  /** Says why records stay in a spool, if they do. */
  void tellFailure() {
    Exception cause = last;
    if (cause != null) {
      account.warn(
          "Records of a process that is gone cannot be shipped to %s: %s"
              .formatted(logName, cause));
    }
  }

  @Override
  public void settled(long records) {
    throw new IllegalStateException(records + " records of a spool of our own");
  }

  @Override
  public void lost(long records) {
    throw new IllegalStateException(records + " records of a spool of our own");
  }

  @Override
  public void reached(long records) {
    throw new IllegalStateException(records + " records of a spool of our own");
  }

  @Override
  public void recovered(long records) {
    account.recovered(records);
  }

  @Override
  public void orphanShipped(InstanceId spool, long upTo, long lost) {
    account.orphanShipped(spool, upTo, lost);
  }

  @Override
  public void warn(String text) {
    account.warn(text);
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
