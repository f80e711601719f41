package dev.forebay.tiered.file;

import dev.forebay.tiered.ship.ShippingListener;
import java.util.ArrayList;
import java.util.List;

/** Notes what it is told. */
public final class Account implements ShippingListener {

  public long committed;
  public long lost;
  public long reached;
  public long recovered;

  /** Whether a failure was reported and not its end. */
  boolean isFailing;

  public final List<String> warnings = new ArrayList<>();
  public final List<String> unreadable = new ArrayList<>();
  public final List<Exception> failures = new ArrayList<>();

  @Override
  public void settled(long records, long gone, long upTo) {
    committed += records;
    lost += gone;
    if (upTo < reached) {
      throw new IllegalStateException(upTo + " after " + reached);
    }
    reached = upTo;
  }

  @Override
  public void lost(long records) {
    lost += records;
  }

  @Override
  public void recovered(long records) {
    recovered += records;
  }

  @Override
  public void warn(String text) {
    warnings.add(text);
  }

  @Override
  public void unreadable(Exception cause) {
    unreadable.add(cause.getMessage());
    failures.add(cause);
  }

  @Override
  public void failed(Exception cause) {
    failures.add(cause);
    isFailing = true;
  }

  @Override
  public void worked() {
    isFailing = false;
  }
}
