package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.util.Duration;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.logstash.LogstashListener;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Joran;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.RecordingListener;
import dev.forebay.testkit.Rig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import net.logstash.logback.appender.LoggingEventAsyncDisruptorAppender;
import net.logstash.logback.appender.listener.AppenderListener;
import net.logstash.logback.appender.listener.FailureSummaryLoggingAppenderListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What the disruptor appender is tested for, with it and with ours, and where they differ. */
class DisruptorScenariosTest {

  private static final long LONG_MS = 60_000;

  private final LoggerContext context = Events.context("scenarios");
  private final LoggingEventAsyncDisruptorAppender theirs =
      new LoggingEventAsyncDisruptorAppender();
  private final RecordingAppender delegate = new RecordingAppender().named("THEIRS");
  private final Failures theirFailures = new Failures();

  @BeforeEach
  void prepareTheirs() {
    theirs.setName("PEER");
    theirs.setContext(context);
    theirs.setAddDefaultStatusListener(false);
    theirs.addAppender(delegate);
    theirs.addListener(theirFailures);
    delegate.setContext(context);
  }

  @AfterEach
  void stopTheirs() {
    theirs.stop();
  }

  /** Holds the peer's worker with one event in its hands. */
  private Gate holdTheirs() {
    Gate gate = new Gate();
    delegate.gatedBy(gate);
    theirs.start();
    theirs.doAppend(Events.info("held"));
    gate.awaitReached();
    return gate;
  }

  @Test
  void aDropIsReportedByOurReporterAndByTheirCallers() {
    theirs.setRingBufferSize(1);
    Gate gate = holdTheirs();
    theirs.doAppend(Events.info("dropped"));
    gate.open();
    assertThat(theirFailures.threads).containsExactly(Thread.currentThread().getName());
    assertThat(Events.problems(context)).singleElement().asString().startsWith("Dropped 1 ");

    Failures ourFailures = new Failures();
    LogstashListener bridge = new LogstashListener();
    bridge.addDelegate(ourFailures);
    try (Rig rig =
        Rig.started(
            appender -> {
              Rig.patient(appender);
              bridge.setParent(appender);
              appender.addListener(bridge);
              appender.setRingBufferSize(1);
              appender.setThreadNameFormat("told-%3$s");
            })) {
      Gate ours = rig.blockFlusher();
      rig.logger.warn("fits");
      rig.logger.warn("dropped");
      ours.open();
      rig.appender.stop();

      assertThat(ourFailures.threads).containsExactly("told-reporter");
      assertThat(rig.problems()).as("no status").isEmpty();
      Conservation.assertSettled(rig.appender, 3, rig.delegate);
    }
  }

  @Test
  void slotsAreFreeAgainBeforeTheBatchEndsWithBoth() {
    Semaphore theirSteps = new Semaphore(0);
    delegate.before(event -> theirSteps.acquireUninterruptibly());
    theirs.setRingBufferSize(4);
    theirs.start();
    for (int i = 0; i < 4; i++) {
      theirs.doAppend(Events.info("first " + i));
    }
    theirSteps.release(2);
    Await.until("two are out", () -> delegate.taken() == 2);
    theirs.doAppend(Events.info("second"));
    theirs.doAppend(Events.info("second"));
    assertThat(theirFailures.threads).isEmpty();
    theirSteps.release(4);
    Await.until("all are out", () -> delegate.taken() == 6);

    try (Rig rig =
        Rig.started(
            appender -> {
              Rig.patient(appender);
              appender.setRingBufferSize(4);
            })) {
      Gate gate = rig.blockFlusher();
      Semaphore steps = new Semaphore(0);
      for (int i = 0; i < 4; i++) {
        rig.logger.warn("first");
      }
      rig.delegate.before(event -> steps.acquireUninterruptibly());
      gate.open();
      steps.release(2);
      rig.awaitDelivered(3);
      Await.until("the third is in the delegate's hands", steps::hasQueuedThreads);
      rig.logger.warn("second");
      rig.logger.warn("second");
      assertThat(rig.snapshot().dropped()).isZero();
      steps.release(10); // more than are left
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 7, rig.delegate);
    }
  }

  @Test
  void delegatesAreStartedAndStoppedOnceAndGetEachEventInTheirOrderWithBoth() {
    try (Rig rig = Rig.unstarted(Rig::patient)) {
      List<String> order = new CopyOnWriteArrayList<>();
      List<RecordingAppender> delegates = new ArrayList<>();
      for (Appender<ILoggingEvent> appender : List.of(theirs, rig.appender)) {
        RecordingAppender first = appender == theirs ? delegate : rig.delegate;
        RecordingAppender second = new RecordingAppender().named("SECOND");
        first.before(event -> order.add("first"));
        second.before(event -> order.add("second"));
        addTo(appender, second);
        order.clear();
        appender.start();
        appender.start();
        appender.doAppend(Events.info("event"));
        Await.until("delivered", () -> second.taken() == 1);
        appender.stop();
        appender.stop();
        assertThat(order).as(appender.getName()).containsExactly("first", "second");
        delegates.addAll(List.of(first, second));
      }
      assertThat(delegates).allMatch(to -> to.starts() == 1 && to.stops() == 1);
      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  private static void addTo(Appender<ILoggingEvent> appender, RecordingAppender second) {
    if (appender instanceof NonBlockingAppender ours) {
      ours.addAppender(second);
    } else {
      ((LoggingEventAsyncDisruptorAppender) appender).addAppender(second);
    }
  }

  @Test
  void theEventOfACallerThatStopReleasesIsCountedByUsAndReportedToNoListenerOfTheirs() {
    theirs.setRingBufferSize(1);
    theirs.setAppendTimeout(Duration.buildByMilliseconds(-1));
    theirs.setShutdownGracePeriod(Duration.buildByMilliseconds(0));
    Gate gate = holdTheirs();
    Thread caller = waiting(() -> theirs.doAppend(Events.info("waits")));
    theirs.stop();
    Await.end(caller);
    gate.open();
    assertThat(theirFailures.threads).as("no listener is told").isEmpty();
    assertThat(delegate.messages()).doesNotContain("waits");

    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setRingBufferSize(1);
              appender.setAppendTimeout(Rig.ms(LONG_MS));
              appender.setMaxFlushTime(Rig.ms(20));
            })) {
      Gate ours = rig.blockFlusher();
      rig.logger.info("fills the ring");
      Thread ourCaller = waiting(() -> rig.logger.info("waits"));
      rig.appender.stop();
      Await.end(ourCaller);
      ours.open();
      Await.until("settled", () -> rig.snapshot().inFlight() == 0);

      assertThat(rig.snapshot().dropped(DropReason.STOPPED)).isOne();
      Conservation.assertSettled(rig.appender, 3, rig.delegate);
    }
  }

  @Test
  void theEventOfAWaitingCallerThatIsInterruptedIsCountedByUsAndLostByThemInSilence() {
    theirs.setRingBufferSize(1);
    theirs.setAppendTimeout(Duration.buildByMilliseconds(-1));
    Gate gate = holdTheirs();
    Thread caller = waiting(() -> theirs.doAppend(Events.info("interrupted")));
    caller.interrupt();
    Await.end(caller);
    gate.open();
    Await.until("the first is out", () -> delegate.taken() == 1);
    theirs.stop();
    assertThat(delegate.messages()).containsExactly("held");
    assertThat(theirFailures.threads).isEmpty();
    assertThat(Events.problems(context)).isEmpty();

    try (Rig rig =
        Rig.started(
            appender -> {
              Rig.patient(appender);
              appender.setRingBufferSize(1);
              appender.setAppendTimeout(Rig.ms(LONG_MS));
            })) {
      Gate ours = rig.blockFlusher();
      rig.logger.info("fills the ring");
      Thread ourCaller = waiting(() -> rig.logger.info("interrupted"));
      ourCaller.interrupt();
      Await.end(ourCaller);
      ours.open();
      rig.appender.stop();

      assertThat(rig.snapshot().dropped(DropReason.INTERRUPTED)).isOne();
      assertThat(rig.delegate.reports()).singleElement().asString().contains("1 event");
      Conservation.assertSettled(rig.appender, 3, rig.delegate);
    }
  }

  @Test
  void aGracePeriodOfZeroDoesNotWaitWithEither() {
    theirs.setShutdownGracePeriod(Duration.buildByMilliseconds(0));
    Gate gate = holdTheirs();
    theirs.doAppend(Events.info("left behind"));
    theirs.stop();
    assertThat(delegate.taken()).as("it was not waited for").isZero();
    gate.open();

    try (Rig rig = Rig.started(appender -> appender.setShutdownGracePeriod(Rig.ms(0)))) {
      assertThat(rig.problems()).as("it is no mistake").isEmpty();
      long limitNs =
          rig.appender.pipelineOptions().validate("RING", new ConfigFindings()).maxFlushNs();
      assertThat(limitNs).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1));
      Gate ours = rig.blockFlusher();
      rig.log(3);
      rig.appender.stop();
      assertThat(rig.snapshot().dropped(DropReason.ABANDONED)).isEqualTo(3);
      ours.open();
      Await.until("the delegate returns", () -> rig.snapshot().inFlight() == 0);
      Conservation.assertSettled(rig.appender, 4, rig.delegate);
    }
  }

  private static Thread waiting(Runnable call) {
    Thread caller = new Thread(call);
    caller.setDaemon(true);
    caller.start();
    Await.until("the caller waits", () -> caller.getState() == Thread.State.TIMED_WAITING);
    return caller;
  }

  @Test
  void eachStreakOfDropsIsOneSummaryOfTheirListenerAlsoBehindOurs() {
    String name = "summaries-of-disruptor-scenarios";
    RecordingAppender heard = new RecordingAppender();
    heard.start();
    ch.qos.logback.classic.Logger target =
        ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(name);
    target.setAdditive(false);
    target.addAppender(heard);
    FailureSummaryLoggingAppenderListener<ILoggingEvent> summaries =
        new FailureSummaryLoggingAppenderListener<>();
    summaries.setLoggerName(name);
    RecordingListener listener = new RecordingListener();
    LogstashListener bridge = new LogstashListener();
    bridge.addDelegate(summaries);
    try (Rig rig =
        Rig.started(
            appender -> {
              Rig.patient(appender);
              bridge.setParent(appender);
              appender.addListener(bridge);
              appender.addListener(listener);
              appender.setRingBufferSize(1);
              appender.setReportInterval(Rig.ms(10));
            })) {
      for (int streak = 2; streak <= 3; streak++) {
        int ended = listener.calls("ended").size();
        Gate gate = rig.blockFlusher();
        for (int i = 0; i <= streak; i++) {
          rig.logger.warn("event");
        }
        gate.open();
        Await.until("the streak has ended", () -> listener.calls("ended").size() > ended);
      }
      rig.appender.stop();

      assertThat(heard.messages()).hasSize(2);
      assertThat(heard.messages().get(0)).contains("2 append failures");
      assertThat(heard.messages().get(1)).contains("3 append failures");
      Conservation.assertSettled(rig.appender, 2 + 3 + 4, rig.delegate);
    } finally {
      target.detachAppender(heard);
    }
  }

  @Test
  void aRingSizeThatIsNoPowerOfTwoIsRoundedUpByUsAndRefusedByThem(@TempDir Path logs) {
    String xml =
        """
        <configuration>
          <appender name="LIST" class="ch.qos.logback.core.read.ListAppender"/>
          <appender name="RING" class="%s">
            <ringBufferSize>1000</ringBufferSize>
            <appender-ref ref="LIST"/>
          </appender>
          <root level="INFO"><appender-ref ref="RING"/></root>
        </configuration>
        """;
    try (Joran joran = Joran.of(xml.formatted(theirs.getClass().getName()), logs)) {
      assertThat(joran.warnings()).anyMatch(text -> text.contains("ringBufferSize"));
      assertThat(((LoggingEventAsyncDisruptorAppender) joran.appender("RING")).getRingBufferSize())
          .as("its default")
          .isEqualTo(8192);
    }
    try (Joran joran = Joran.of(xml.formatted(NonBlockingAppender.class.getName()), logs)) {
      assertThat(joran.warnings()).isEmpty();
      assertThat(joran.errors()).isEmpty();
      NonBlockingAppender ring = joran.ring("RING");
      RecordingAppender gated = new RecordingAppender();
      gated.start();
      ring.addAppender(gated);
      Gate gate = new Gate();
      gated.gatedBy(gate);
      ring.doAppend(Events.event(ch.qos.logback.classic.Level.ERROR, "held"));
      gate.awaitReached();
      for (int i = 0; i < 2000; i++) {
        ring.doAppend(Events.event(ch.qos.logback.classic.Level.WARN, "event"));
      }
      assertThat(ring.snapshot().dropped(DropReason.RING_FULL)).isEqualTo(2000 - 1024);
      gate.open();
      joran.context().stop();
      Conservation.assertSettled(ring, 2001, gated);
    }
  }

  /** Notes the threads that tell of events that could not be appended. */
  private static final class Failures implements AppenderListener<ILoggingEvent> {
    final List<String> threads = new CopyOnWriteArrayList<>();

    @Override
    public void eventAppendFailed(
        Appender<ILoggingEvent> appender, ILoggingEvent event, Throwable reason) {
      threads.add(Thread.currentThread().getName());
    }
  }
}
