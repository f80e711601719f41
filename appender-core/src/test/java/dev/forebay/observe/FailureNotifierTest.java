package dev.forebay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingListener;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FailureNotifierTest {

  private final Ledger ledger = new Ledger();
  private final RecordingListener listener = new RecordingListener();
  private final List<String> problems = new ArrayList<>();
  private final OutputHealth health = new OutputHealth("the disk");
  private final FailureNotifier notifier =
      new FailureNotifier(
          "RING", ledger, List.of(listener), (text, cause) -> problems.add(text + cause));

  @Test
  void sumsUpDropsByReasonAndLevelWithTimesAndASample() {
    ILoggingEvent first = drop(DropReason.SHED, Level.DEBUG, 100);
    drop(DropReason.SHED, Level.DEBUG, 300);
    drop(DropReason.RING_FULL, Level.ERROR, 200);
    notifier.report();

    assertThat(listener.calls()).containsExactly("dropped 3");
    assertThat(listener.drops())
        .hasSize(2)
        .contains(
            new DropSummary(
                DropReason.SHED, org.slf4j.event.Level.DEBUG, 2, 100, 300, first, Map.of()));
  }

  /** A reporter that a stop did not await takes what was dropped before the next start. */
  @Test
  void tellsListenersThatWereAddedSince() {
    List<FailureListener> listeners = new CopyOnWriteArrayList<>();
    FailureNotifier earlier = new FailureNotifier("RING", ledger, listeners, (text, cause) -> {});
    listeners.add(listener);
    drop(DropReason.STOPPED, Level.INFO, 100);
    earlier.stopped();

    assertThat(listener.calls("dropped")).containsExactly("dropped 1");
  }

  @Test
  void theFirstFailureOfEachStreakOfForeignCodeIsAProblemToo() {
    notifier.watchForeign(health);
    notifier.report();
    assertThat(problems).isEmpty();
    health.failed(new IllegalStateException("no connection"));
    notifier.report();
    health.succeeded();
    health.failed(new IllegalStateException("again"));
    notifier.report();

    assertThat(problems)
        .singleElement()
        .asString()
        .contains("the disk failed; until it works again", "no connection");
    assertThat(listener.calls()).hasSize(2);
    health.succeeded();
    notifier.report();
    health.failed(new IllegalStateException("next streak"));
    notifier.report();

    assertThat(problems).hasSize(2).last().asString().contains("next streak");
  }

  @Test
  void saysSinceWhenTheStreakLasts() {
    AtomicLong nowMs = new AtomicLong(1_000_000);
    OutputHealth disk =
        new OutputHealth("the disk", () -> Instant.ofEpochMilli(nowMs.addAndGet(60_000)));
    notifier.watch(disk);
    disk.failed(new IllegalStateException("full"));
    disk.failed(new IllegalStateException("still full"));
    assertThat(notifier.failing())
        .isEqualTo(
            "the disk, since 1970-01-01T00:17:40Z: java.lang.IllegalStateException: still full");
    disk.succeeded();
    assertThat(notifier.failing()).isEmpty();
    assertThat(notifier.lastError())
        .isEqualTo(
            "the disk, at 1970-01-01T00:17:40Z: java.lang.IllegalStateException: still full");
    disk.failed(new IllegalStateException("again"));
    assertThat(notifier.failing()).contains("since 1970-01-01T00:18:40Z");
  }

  @Test
  void anOutputThatFailsAgainBeforeTheReportIsNotCalledRecovered() {
    notifier.watch(health);
    health.failed(new IllegalStateException("one"));
    health.succeeded();
    health.failed(new IllegalStateException("two"));
    notifier.report();

    assertThat(listener.calls()).hasSize(1).first().asString().startsWith("failed the disk 2");
    health.succeeded();
    notifier.report();
    assertThat(listener.calls()).last().isEqualTo("recovered the disk");
  }

  private ILoggingEvent drop(DropReason reason, Level level, long timeMs) {
    var event = Events.event(level, "dropped");
    event.setTimeStamp(timeMs);
    ledger.drop(reason, event);
    return event;
  }
}
