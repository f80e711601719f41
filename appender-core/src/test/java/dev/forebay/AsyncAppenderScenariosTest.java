package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.Rig;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Logback's AsyncAppender is tested for, with it and with ours, and where they differ. */
class AsyncAppenderScenariosTest {

  private static final int SLOTS = 16;

  private final LoggerContext context = Events.context("scenarios");
  private final AsyncAppender theirs = new AsyncAppender();
  private final RecordingAppender delegate = new RecordingAppender().named("THEIRS");

  @BeforeEach
  void prepareTheirs() {
    theirs.setName("PEER");
    theirs.setContext(context);
    theirs.setQueueSize(SLOTS);
    theirs.setDiscardingThreshold(0);
    theirs.setMaxFlushTime(20_000);
    theirs.addAppender(delegate);
    delegate.setContext(context);
    delegate.start();
  }

  @AfterEach
  void stopTheirs() {
    theirs.stop();
    Await.until("their worker ends", () -> StopTest.threads("AsyncAppender-Worker-PEER").isEmpty());
  }

  private static void log(Appender<ILoggingEvent> to, int events) {
    for (int i = 0; i < events; i++) {
      to.doAppend(Events.info("event " + i));
    }
  }

  @Test
  void whatAFullQueueDropsIsCountedByUsAndByThemNowhere() {
    theirs.setNeverBlock(true);
    theirs.start();
    Gate gate = new Gate();
    delegate.gatedBy(gate);
    log(theirs, 1);
    gate.awaitReached();
    log(theirs, 2000);
    gate.open();
    theirs.stop();
    assertThat(delegate.taken()).isEqualTo(1 + SLOTS);
    assertThat(Events.problems(context)).as("of 1984 events nobody is told").isEmpty();

    try (Rig rig =
        Rig.started(
            appender -> {
              Rig.patient(appender);
              appender.setQueueSize(SLOTS);
              appender.setDiscardingThreshold(0);
            })) {
      Gate ours = rig.blockFlusher();
      rig.log(2000);
      ours.open();
      rig.appender.stop();

      assertThat(rig.snapshot().dropped(DropReason.RING_FULL)).isEqualTo(2000 - SLOTS);
      assertThat(rig.delegate.reports()).singleElement().asString().contains("1984");
      Conservation.assertSettled(rig.appender, 2001, rig.delegate);
    }
  }

  @Test
  void stopLeavesOurDelegateAtItsWorkAndInterruptsTheirs() {
    AtomicBoolean interrupted = new AtomicBoolean();
    CountDownLatch working = new CountDownLatch(1);
    delegate.before(
        event -> {
          working.countDown();
          Await.until("interrupted", () -> Thread.currentThread().isInterrupted());
          interrupted.set(Thread.interrupted());
        });
    theirs.start();
    log(theirs, 1);
    Await.latch(working);
    theirs.stop();
    assertThat(interrupted).as("what a FileChannel would be closed by").isTrue();
    assertThat(delegate.taken()).isOne();

    try (Rig rig = Rig.started(appender -> appender.setMaxFlushTime(Rig.ms(50)))) {
      Gate gate = new Gate();
      AtomicBoolean flag = new AtomicBoolean(true);
      rig.delegate.before(
          event -> {
            gate.pass();
            flag.set(Thread.currentThread().isInterrupted());
          });
      rig.logger.error("held");
      gate.awaitReached();
      rig.appender.stop();
      gate.open();
      Await.until("the delegate returns", () -> rig.snapshot().inFlight() == 0);

      assertThat(flag).isFalse();
      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  @Test
  void afterAStopThatTookTooLongOursCountsWhatItLeftAndTheirsWritesOn() {
    theirs.setMaxFlushTime(1);
    theirs.start();
    Gate gate = new Gate();
    delegate.gatedBy(gate);
    log(theirs, 1);
    gate.awaitReached();
    log(theirs, 9);
    theirs.stop();
    assertThat(Events.problems(context))
        .singleElement()
        .asString()
        .contains("9 queued events were possibly");
    gate.open();
    Await.until("written though said to be discarded", () -> delegate.taken() == 10);

    try (Rig rig = Rig.started(appender -> appender.setMaxFlushTime(Rig.ms(20)))) {
      Gate ours = rig.blockFlusher();
      rig.log(9);
      rig.appender.stop();
      ours.open();
      Await.until("the delegate returns", () -> rig.snapshot().inFlight() == 0);

      assertThat(rig.snapshot().dropped(DropReason.ABANDONED)).isEqualTo(9);
      assertThat(rig.delegate.taken()).isOne();
      Conservation.assertSettled(rig.appender, 10, rig.delegate);
    }
  }

  @Test
  void aDelegateThatThrowsOnceCostsUsOneEventAndThemTheirWorker() {
    theirs.setNeverBlock(true);
    theirs.start();
    delegate.before(
        event -> {
          if (event.getFormattedMessage().equals("event 0")) {
            throw new IllegalStateException("once");
          }
        });
    Thread worker = StopTest.threads("AsyncAppender-Worker-PEER").get(0);
    worker.setUncaughtExceptionHandler((thread, thrown) -> {});
    log(theirs, 1);
    Await.end(worker);
    log(theirs, 10);
    assertThat(theirs.isStarted()).isTrue();
    theirs.stop();
    assertThat(delegate.taken()).as("all are lost").isZero();
    assertThat(Events.problems(context)).isEmpty();

    try (Rig rig = Rig.started(Rig::patient)) {
      rig.delegate.before(
          event -> {
            if (event.getFormattedMessage().equals("event 0")) {
              throw new IllegalStateException("once");
            }
          });
      rig.log(11);
      rig.appender.stop();

      assertThat(rig.snapshot().dropped(DropReason.DELIVERY_FAILED)).isOne();
      Conservation.assertSettled(rig.appender, 11, rig.delegate);
    }
  }

  @Test
  void oursCanBeStartedAgainAndTheirsCannot() {
    theirs.start();
    theirs.stop();
    assertThatThrownBy(theirs::start).isInstanceOf(IllegalThreadStateException.class);

    try (Rig rig = Rig.started(Rig::patient)) {
      rig.appender.stop();
      rig.appender.start();
      rig.log(1);
      rig.appender.stop();
      assertThat(rig.snapshot().delivered()).isOne();
      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  @Test
  void aCallerThatIsInterruptedLosesNeitherItsFlagNorItsEventsWithEither() {
    theirs.start();
    try (Rig rig = Rig.started(Rig::patient)) {
      for (Appender<ILoggingEvent> appender : List.of(theirs, rig.appender)) {
        log(appender, 1);
        Thread.currentThread().interrupt();
        log(appender, 2);
        assertThat(Thread.interrupted()).as(appender.getName()).isTrue();
        appender.stop();
      }
      assertThat(delegate.taken()).isEqualTo(3);
      assertThat(rig.snapshot().delivered()).isEqualTo(3);
      Conservation.assertSettled(rig.appender, 3, rig.delegate);
    }
  }

  @Test
  void stopLeavesTheInterruptFlagOfItsCallerAsItWasWithEither() {
    for (boolean flag : new boolean[] {false, true}) {
      AsyncAppender peer = new AsyncAppender();
      peer.setContext(context);
      peer.addAppender(delegate);
      peer.start();
      try (Rig rig = Rig.started(Rig::patient)) {
        for (Appender<ILoggingEvent> appender : List.of(peer, rig.appender)) {
          if (flag) {
            Thread.currentThread().interrupt();
          }
          appender.stop();
          assertThat(Thread.interrupted()).as("%s", appender).isEqualTo(flag);
        }
        Conservation.assertSettled(rig.appender, 0, rig.delegate);
      }
    }
  }

  @Test
  void oursTakesAnyNumberOfAppendersAndTheirsOne() {
    RecordingAppender second = new RecordingAppender().named("SECOND");
    second.start();
    theirs.addAppender(second);
    theirs.start();
    log(theirs, 3);
    theirs.stop();
    assertThat(delegate.taken()).isEqualTo(3);
    assertThat(second.taken()).isZero();
    assertThat(Events.problems(context))
        .anyMatch(text -> text.contains("One and only one appender"));

    RecordingAppender ourSecond = new RecordingAppender().named("SECOND");
    try (Rig rig =
        Rig.started(
            appender -> {
              Rig.patient(appender);
              appender.addAppender(ourSecond);
            })) {
      rig.log(3);
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 3, rig.delegate, ourSecond);
    }
  }
}
