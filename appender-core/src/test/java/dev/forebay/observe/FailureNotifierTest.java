package dev.forebay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FailureNotifierTest {

  private final Ledger ledger = new Ledger();
  private final RecordingListener listener = new RecordingListener();
  private final List<String> problems = new ArrayList<>();
  private final OutputHealth health = new OutputHealth("the disk");
  private final FailureNotifier notifier = notifier(listener);

  @Test
  void saysNothingWhenNothingHappened() {
    notifier.report();
    assertThat(listener.calls()).isEmpty();
  }

  @Test
  void sumsUpDropsByReasonAndLevelWithTimesAndASample() {
    ILoggingEvent first = drop(DropReason.SHED, Level.DEBUG, 100);
    drop(DropReason.SHED, Level.DEBUG, 300);
    drop(DropReason.RING_FULL, Level.ERROR, 200);
    notifier.report();

    assertThat(listener.calls()).containsExactly("dropped 3");
    assertThat(listener.drops())
        .containsExactlyInAnyOrder(
            new DropSummary(DropReason.SHED, org.slf4j.event.Level.DEBUG, 2, 100, 300, first),
            listener.drops().stream()
                .filter(drop -> drop.reason() == DropReason.RING_FULL)
                .findFirst()
                .orElseThrow());
  }

  @Test
  void newsOfOutputsWakeTheReporterAndAreReportedOnce() {
    AtomicInteger told = new AtomicInteger();
    ledger.onNews(told::incrementAndGet);
    OutputHealth output = new OutputHealth("output");
    notifier.watch(output);
    int before = told.get();
    output.succeeded();
    assertThat(told).hasValue(before);
    assertThat(notifier.hasNews()).isFalse();
    output.failed(new IllegalStateException("broken"));
    assertThat(told).hasValue(before + 1);
    assertThat(notifier.hasNews()).isTrue();
    notifier.report();
    assertThat(notifier.hasNews()).isFalse();
    output.succeeded();
    assertThat(told).hasValue(before + 2);
    assertThat(notifier.hasNews()).isTrue();
    notifier.report();
    assertThat(notifier.hasNews()).isFalse();
    output.failed(new IllegalStateException("broken"));
    notifier.unwatch(output);

    assertThat(notifier.hasNews()).as("it is forgotten").isFalse();
  }

  @Test
  void aFailureBeforeTheFirstLookWakesTheReporterToo() {
    AtomicInteger told = new AtomicInteger();
    ledger.onNews(told::incrementAndGet);
    health.failed(new IllegalStateException("early"));
    notifier.watch(health);

    assertThat(told).hasValue(1);
    assertThat(notifier.hasNews()).isTrue();
  }

  @Test
  void dropsAndTheirEndAreNews() {
    drop(DropReason.RING_FULL, Level.WARN, 1);
    assertThat(notifier.hasNews()).isTrue();
    notifier.report();
    assertThat(notifier.hasNews()).as("their end").isTrue();
    notifier.report();

    assertThat(notifier.hasNews()).isFalse();
  }

  @Test
  void tellsOfEachDropOnceAndOfTheEndAfterAQuietInterval() {
    drop(DropReason.RING_FULL, Level.WARN, 1);
    notifier.report();
    drop(DropReason.RING_FULL, Level.WARN, 2);
    notifier.report();
    notifier.report();
    notifier.report();

    assertThat(listener.calls()).containsExactly("dropped 1", "dropped 1", "ended");
  }

  @Test
  void everyReportHasASampleAndFirstTimeOfItsOwn() {
    drop(DropReason.RING_FULL, Level.WARN, 10);
    notifier.report();
    ILoggingEvent later = drop(DropReason.RING_FULL, Level.WARN, 20);
    notifier.report();

    assertThat(listener.drops().get(1).sample()).isSameAs(later);
    assertThat(listener.drops().get(1).firstMs()).isEqualTo(20);
  }

  @Test
  void theReaderInTheLogDoesNotTakeAwayWhatListenersAreTold() {
    drop(DropReason.RING_FULL, Level.WARN, 10);
    List<DropSummary> inLog = ledger.dropsInLog().advance();
    notifier.report();

    assertThat(inLog).singleElement().satisfies(drop -> assertThat(drop.firstMs()).isEqualTo(10));
    assertThat(listener.drops())
        .singleElement()
        .satisfies(
            drop -> {
              assertThat(drop.firstMs()).isEqualTo(10);
              assertThat(drop.sample()).isNotNull();
            });
  }

  @Test
  void tellsOfFailuresAndOfRecovery() {
    notifier.watch(health);
    health.failed(new IllegalStateException("full"));
    health.failed(new IllegalStateException("still full"));
    notifier.report();
    health.succeeded();
    notifier.report();
    notifier.report();

    assertThat(listener.calls())
        .containsExactly(
            "failed the disk 2 java.lang.IllegalStateException: still full", "recovered the disk");
    assertThat(notifier.lastError()).contains("the disk", "still full");
  }

  @Test
  void eachReportCountsTheFailuresSinceTheOneBefore() {
    notifier.watch(health);
    health.failed(new IllegalStateException("one"));
    health.failed(new IllegalStateException("two"));
    notifier.report();
    health.failed(new IllegalStateException("three"));
    notifier.report();

    assertThat(listener.calls())
        .containsExactly(
            "failed the disk 2 java.lang.IllegalStateException: two",
            "failed the disk 1 java.lang.IllegalStateException: three");
  }

  @Test
  void namesTheOutputsThatFailNowAndTheNewestFailureOfAny() {
    OutputHealth net = new OutputHealth("the net");
    OutputHealth idle = new OutputHealth("the idle");
    notifier.watch(health);
    notifier.watch(net);
    notifier.watch(idle);
    assertThat(notifier.failing()).isEmpty();
    assertThat(notifier.lastError()).isEmpty();

    health.failed(new IllegalStateException("full"));
    net.failed(new IllegalStateException("down"));
    assertThat(notifier.failing())
        .isEqualTo(
            "the disk: java.lang.IllegalStateException: full; "
                + "the net: java.lang.IllegalStateException: down");
    net.succeeded();
    assertThat(notifier.failing()).isEqualTo("the disk: java.lang.IllegalStateException: full");
    assertThat(notifier.lastError()).isEqualTo("the net: java.lang.IllegalStateException: down");
  }

  @Test
  void forgettingOneOutputLeavesTheOthers() {
    OutputHealth quiet = new OutputHealth("quiet");
    notifier.watch(health);
    notifier.watch(quiet);
    notifier.unwatch(quiet);
    health.failed(new IllegalStateException("full"));
    notifier.report();
    health.failed(new IllegalStateException("full"));
    notifier.report();

    assertThat(listener.calls("failed")).hasSize(2);
  }

  @Test
  void knowsWhetherAllDropsWereTold() {
    assertThat(notifier.hasReportedDrops()).isTrue();
    drop(DropReason.RING_FULL, Level.WARN, 1);
    assertThat(notifier.hasReportedDrops()).isFalse();
    notifier.report();
    assertThat(notifier.hasReportedDrops()).isTrue();
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

  @Test
  void aListenerThatThrowsKeepsNobodyFromBeingTold() {
    for (Throwable thrown :
        List.of(new IllegalStateException("exception"), new NoClassDefFoundError("error"))) {
      FailureNotifier both =
          notifier(
              new RecordingListener() {
                @Override
                public void onDropped(String appender, List<DropSummary> summaries) {
                  FailureNotifierTest.<RuntimeException>sneak(thrown);
                }
              },
              listener);
      drop(DropReason.RING_FULL, Level.WARN, 1);
      both.report();
    }

    assertThat(listener.calls()).containsExactly("dropped 1", "dropped 1");
    assertThat(problems).hasSize(2).allMatch(text -> text.contains("threw"));
  }

  @Test
  void stoppedReportsWhatIsLeftFirst() {
    drop(DropReason.ABANDONED, Level.INFO, 1);
    notifier.started();
    notifier.stopped();

    assertThat(listener.calls()).containsExactly("started RING", "dropped 1", "stopped RING");
  }

  private FailureNotifier notifier(FailureListener... listeners) {
    return new FailureNotifier(
        "RING", ledger, List.of(listeners), (text, cause) -> problems.add(text + cause));
  }

  private ILoggingEvent drop(DropReason reason, Level level, long timeMs) {
    var event = Events.event(level, "dropped");
    event.setTimeStamp(timeMs);
    ledger.drop(reason, event);
    return event;
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
