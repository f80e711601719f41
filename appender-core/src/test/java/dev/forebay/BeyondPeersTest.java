package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.read.ListAppender;
import ch.qos.logback.core.spi.FilterReply;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.logstash.LogstashListener;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.Rig;
import java.util.List;
import net.logstash.logback.appender.LoggingEventAsyncDisruptorAppender;
import net.logstash.logback.appender.listener.FailureSummaryLoggingAppenderListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Faults that the peers have no test for, with them and with ours. */
class BeyondPeersTest {

  /** A name of its own: peers of other tests may have left threads. */
  private static final String PEER = "BEYOND";

  private final LoggerContext context = Events.context("beyond");
  private final AsyncAppender async = new AsyncAppender();
  private final LoggingEventAsyncDisruptorAppender disruptor =
      new LoggingEventAsyncDisruptorAppender();
  private final RecordingAppender delegate = new RecordingAppender().named("THEIRS");

  @BeforeEach
  void preparePeers() {
    async.setName(PEER);
    async.setContext(context);
    async.setDiscardingThreshold(0);
    async.setNeverBlock(true);
    disruptor.setName(PEER);
    disruptor.setContext(context);
    disruptor.setAddDefaultStatusListener(false);
    delegate.setContext(context);
    delegate.start();
  }

  @AfterEach
  void stopPeers() {
    async.stop();
    disruptor.stop();
  }

  private List<String> problems() {
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getEffectiveLevel() >= Status.WARN)
        .map(Status::getMessage)
        .toList();
  }

  @Test
  void aStrayInterruptOnlyWakesOurWorkerAndEndsThatOfAsyncAppender() {
    async.addAppender(delegate);
    async.start();
    Thread worker = StopTest.threads("AsyncAppender-Worker-" + PEER).get(0);
    worker.interrupt();
    Await.end(worker);
    async.doAppend(Events.info("after the interrupt"));
    async.stop();
    assertThat(delegate.isStarted()).as("stopped by the worker's end").isFalse();
    assertThat(delegate.taken()).isZero();
    assertThat(problems()).as("nobody is told").isEmpty();

    requireOursSurvivesAnInterrupt();
  }

  @Test
  void aStrayInterruptCostsUsNoEventAndTheDisruptorAppenderTheNext() {
    disruptor.addAppender(delegate);
    disruptor.start();
    Thread worker = StopTest.threads("logback-appender-" + PEER).get(0);
    disruptor.doAppend(Events.info("before"));
    // Only behind an event is it sure that the thread waits for events and not for its start.
    Await.until("delivered", () -> delegate.taken() == 1);
    Await.until("idle", () -> worker.getState() == Thread.State.WAITING);
    worker.interrupt();
    Await.until("told", () -> problems().size() == 1);
    disruptor.doAppend(Events.info("next"));
    disruptor.doAppend(Events.info("second"));
    disruptor.stop();
    assertThat(delegate.messages()).containsExactly("before", "second");

    requireOursSurvivesAnInterrupt();
  }

  private static void requireOursSurvivesAnInterrupt() {
    try (Rig rig =
        Rig.started(
            appender -> {
              Rig.patient(appender);
              appender.setThreadNameFormat("stray-%3$s");
            })) {
      StopTest.threads("stray-flusher").get(0).interrupt();
      rig.log(10);
      rig.appender.stop();
      assertThat(rig.snapshot().delivered()).isEqualTo(10);
      Conservation.assertSettled(rig.appender, 10, rig.delegate);
    }
  }

  @Test
  void anErrorOfADelegateCostsUsOneEventAndAsyncAppenderItsWorker() {
    async.addAppender(delegate);
    async.start();
    Thread worker = StopTest.threads("AsyncAppender-Worker-" + PEER).get(0);
    worker.setUncaughtExceptionHandler((thread, thrown) -> {});
    failOnce(delegate);
    async.doAppend(Events.info("bad"));
    Await.end(worker);
    async.doAppend(Events.info("good"));
    assertThat(async.isStarted()).isTrue();
    async.stop();
    assertThat(delegate.taken()).isZero();

    try (Rig rig = Rig.started(Rig::patient)) {
      failOnce(rig.delegate);
      rig.logger.info("bad");
      rig.logger.info("good");
      rig.appender.stop();
      assertThat(rig.delegate.messages()).contains("good").doesNotContain("bad");
      assertThat(rig.snapshot().dropped(DropReason.DELIVERY_FAILED)).isOne();
      Conservation.assertSettled(rig.appender, 2, rig.delegate);
    }
  }

  private static void failOnce(RecordingAppender appender) {
    appender.before(
        event -> {
          if (event.getFormattedMessage().equals("bad")) {
            throw new NoClassDefFoundError("a class of the delegate");
          }
        });
  }

  @Test
  void aBatchThatAStopAbandonsIsCountedByUsAndDeniedByAsyncAppender() {
    async.addAppender(delegate);
    async.setMaxFlushTime(1);
    async.start();
    Gate first = new Gate();
    delegate.gatedBy(first);
    async.doAppend(Events.info("held"));
    first.awaitReached();
    for (int i = 0; i < 199; i++) {
      async.doAppend(Events.info("event"));
    }
    Gate second = new Gate();
    delegate.gatedBy(second);
    first.open();
    second.awaitReached(); // 199 are in the worker's hands, the queue is empty
    async.stop();
    assertThat(problems())
        .singleElement()
        .asString()
        .contains("Approximately 0 queued events were possibly discarded");
    second.open();

    try (Rig rig = Rig.started(appender -> appender.setMaxFlushTime(Rig.ms(20)))) {
      Gate held = rig.blockFlusher();
      rig.log(199);
      Gate next = new Gate();
      rig.delegate.gatedBy(next);
      held.open();
      next.awaitReached();
      rig.appender.stop();
      assertThat(rig.snapshot().dropped(DropReason.ABANDONED)).isEqualTo(198);
      next.open();
      Await.until("the delegate returns", () -> rig.snapshot().inFlight() == 0);
      Conservation.assertSettled(rig.appender, 200, rig.delegate);
    }
  }

  /** As at a reset of a context whose root logger has the appender behind the queue as well. */
  @Test
  void whatASharedAppenderCannotTakeAnyMoreIsCountedByUsAndByAsyncAppenderNowhere() {
    ListAppender<ILoggingEvent> shared = new ListAppender<>();
    Gate gate = new Gate();
    shared.setContext(context);
    shared.addFilter(
        new Filter<>() {
          @Override
          public FilterReply decide(ILoggingEvent event) {
            gate.pass();
            return FilterReply.NEUTRAL;
          }
        });
    shared.start();
    async.addAppender(shared);
    async.start();
    for (int i = 0; i < 100; i++) {
      async.doAppend(Events.info("event"));
    }
    gate.awaitReached();
    shared.stop();
    gate.open();
    async.stop();
    assertThat(shared.list).hasSize(1);
    assertThat(problems()).isNotEmpty().allMatch(text -> text.contains("non started appender"));

    try (Rig rig = Rig.started(Rig::patient)) {
      Gate ours = rig.blockFlusher();
      rig.log(99);
      rig.delegate.stop();
      ours.open();
      rig.appender.stop();
      assertThat(rig.snapshot().dropped(DropReason.DELIVERY_FAILED)).isGreaterThanOrEqualTo(99);
      Conservation.assertSettled(rig.appender, 100, rig.delegate);
    }
  }

  /** Only the text of a message is fixed by the call. */
  @Test
  void anArgumentThatChangesAfterTheCallIsOldInTheMessageAndNewBehindTheRingWithBoth() {
    StringBuilder argument = new StringBuilder("before");
    Logger peers = context.getLogger("peers");
    async.addAppender(delegate);
    async.start();
    peers.addAppender(async);
    Gate theirs = new Gate();
    delegate.gatedBy(theirs);
    try (Rig rig = Rig.started(Rig::patient)) {
      Gate ours = rig.blockFlusher();
      rig.logger.info("{}", argument);
      peers.info("{}", argument);
      argument.replace(0, argument.length(), "after");
      ours.open();
      theirs.open();
      rig.appender.stop();
      async.stop();

      for (ILoggingEvent event : List.of(delegate.events().get(0), rig.delegate.events().get(1))) {
        assertThat(event.getFormattedMessage()).isEqualTo("before");
        assertThat(event.getArgumentArray()[0]).hasToString("after");
      }
      Conservation.assertSettled(rig.appender, 2, rig.delegate);
    }
  }

  /** Logback up to 1.5.20 swallowed it: the thread was in the appender already. */
  @Test
  void theSummaryOfTheDisruptorAppendersListenerIsHeardInTheAppenderThatDropped() {
    String name = "summaries-into-the-same-appender";
    Logger target = ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(name);
    target.setAdditive(false);
    FailureSummaryLoggingAppenderListener<ILoggingEvent> summaries =
        new FailureSummaryLoggingAppenderListener<>();
    summaries.setLoggerName(name);
    LogstashListener bridge = new LogstashListener();
    bridge.addDelegate(summaries);
    try (Rig rig =
        Rig.started(
            appender -> {
              Rig.patient(appender);
              bridge.setParent(appender);
              appender.addListener(bridge);
              appender.setRingBufferSize(2);
              appender.setReportInterval(Rig.ms(10));
            })) {
      target.addAppender(rig.appender);
      Gate gate = rig.blockFlusher();
      for (int i = 0; i < 5; i++) {
        rig.logger.error("event");
      }
      gate.open();
      Await.until(
          "heard",
          () -> rig.delegate.messages().stream().anyMatch(text -> text.contains("3 append fail")));
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 6 + 1, rig.delegate);
    } finally {
      target.detachAndStopAllAppenders();
    }
  }
}
