package dev.forebay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.NonBlockingAppender;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;

/** The law: every event offered was delivered, dropped or is in flight, and nothing twice. */
public final class Conservation {

  private Conservation() {}

  public static void assertHolds(LedgerSnapshot snapshot) {
    long byReason = 0;
    for (DropReason reason : DropReason.values()) {
      byReason += snapshot.dropped(reason);
    }
    assertThat(byReason).as("dropped by reason in %s", snapshot).isEqualTo(snapshot.dropped());
    assertThat(snapshot.inFlight()).as("in flight in %s", snapshot).isNotNegative();
    assertThat(snapshot.held()).as("held in %s", snapshot).isNotNegative();
    assertThat(snapshot.offered())
        .as("%s", snapshot)
        .isEqualTo(
            snapshot.delivered()
                + snapshot.dropped()
                + snapshot.expired()
                + snapshot.held()
                + snapshot.inFlight());
  }

  /** The law, and that what counts as delivered is what every delegate has taken. */
  public static void assertHolds(NonBlockingAppender appender, RecordingAppender... delegates) {
    LedgerSnapshot snapshot = appender.snapshot();
    assertHolds(snapshot);
    for (RecordingAppender delegate : delegates) {
      assertThat(delegate.taken())
          .as("taken by %s, against %s", delegate.getName(), snapshot)
          .isEqualTo(snapshot.delivered());
    }
  }

  /** The law with nothing in flight, and with a known number of events of the application. */
  public static void assertSettled(
      NonBlockingAppender appender, long logged, RecordingAppender... delegates) {
    assertHolds(appender, delegates);
    LedgerSnapshot snapshot = appender.snapshot();
    assertThat(snapshot.inFlight()).as("in flight in %s", snapshot).isZero();
    assertThat(snapshot.offered() - snapshot.reports())
        .as("offered by the application in %s", snapshot)
        .isEqualTo(logged);
  }
}
