package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.RecordingListener;
import dev.forebay.testkit.Rig;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What happens on the thread that logs. */
class CallerTest {

  @Test
  void anEventIsPreparedByItsCaller() {
    try (Rig rig = Rig.started(appender -> {})) {
      Gate gate = rig.blockFlusher();
      StringBuilder argument = new StringBuilder("before");
      rig.context.getMDCAdapter().put("key", "value");
      rig.logger.info("argument {}", argument);
      argument.replace(0, argument.length(), "after");
      rig.context.getMDCAdapter().remove("key");
      gate.open();
      rig.appender.stop();

      ILoggingEvent event = rig.delegate.events().get(1);
      assertThat(event.getFormattedMessage()).isEqualTo("argument before");
      assertThat(event.getThreadName()).isEqualTo(Thread.currentThread().getName());
      assertThat(event.getMDCPropertyMap()).containsEntry("key", "value");
      Conservation.assertSettled(rig.appender, 2, rig.delegate);
    }
  }

  @Test
  void callerDataIsTakenWhenAskedForAndOnlyThen() {
    for (boolean include : new boolean[] {true, false}) {
      try (Rig rig = Rig.started(appender -> appender.setIncludeCallerData(include))) {
        rig.logger.info("event");
        rig.appender.stop();

        ILoggingEvent event = rig.delegate.events().get(0);
        assertThat(event.hasCallerData()).isEqualTo(include);
        if (include) {
          assertThat(event.getCallerData()[0].getClassName()).isEqualTo(CallerTest.class.getName());
        }
        Conservation.assertSettled(rig.appender, 1, rig.delegate);
      }
    }
  }

  @Test
  void anEventOfAClassOfTheApplicationArrivesAsThat() {
    final class Tenant extends LoggingEvent {}
    try (Rig rig = Rig.started(appender -> {})) {
      Tenant event = new Tenant();
      event.setLoggerContext(rig.context);
      event.setLevel(Level.INFO);
      event.setMessage("first");
      rig.logger.callAppenders(event);
      rig.appender.stop();

      assertThat(rig.delegate.events()).singleElement().isSameAs(event);
    }
  }

  @Test
  void callerDataThatAnotherAppenderHasTakenWillDo() {
    try (Rig rig = Rig.started(appender -> {})) {
      Gate gate = rig.blockFlusher();
      rig.logger.addAppender(asking(rig));
      rig.log(1);
      gate.open();
      rig.appender.stop();

      assertThat(rig.problems()).isEmpty();
      assertThat(rig.delegate.events().get(1).getCallerData()[0].getClassName())
          .isEqualTo(Rig.class.getName());
      Conservation.assertSettled(rig.appender, 2, rig.delegate);
    }
  }

  /** An appender that writes on the thread that logs, and the caller's line with it. */
  private static RecordingAppender asking(Rig rig) {
    RecordingAppender asking = new RecordingAppender();
    asking.setContext(rig.context);
    asking.before(ILoggingEvent::getCallerData);
    asking.start();
    return asking;
  }

  @Test
  void anArgumentThatLogsIsNoRecursion() {
    try (Rig rig = Rig.started(appender -> {})) {
      Object chatty =
          new Object() {
            @Override
            public String toString() {
              rig.logger.info("from toString: {}", this);
              return "chatty";
            }
          };
      rig.logger.info("argument {}", chatty);
      rig.appender.stop();

      assertThat(rig.delegate.messages()).first().isEqualTo("argument chatty");
      assertThat(rig.snapshot().dropped(DropReason.REENTRANT)).isOne();
      Conservation.assertSettled(rig.appender, 2, rig.delegate);
    }
  }

  @Test
  void anEventThatThrowsWhileItIsPreparedBreaksNoLogCall() {
    try (Rig rig = Rig.started(appender -> {})) {
      LoggingEvent bad =
          new LoggingEvent(CallerTest.class.getName(), rig.logger, Level.WARN, "bad", null, null) {
            @Override
            public void prepareForDeferredProcessing() {
              throw new StackOverflowError("deep");
            }
          };
      assertThatCode(() -> rig.appender.doAppend(bad)).doesNotThrowAnyException();
      rig.log(1);
      rig.appender.stop();

      assertThat(rig.snapshot().dropped(DropReason.PREPARE_FAILED, org.slf4j.event.Level.WARN))
          .isOne();
      Conservation.assertSettled(rig.appender, 2, rig.delegate);
    }
  }

  @Test
  void aFilterThatThrowsBreaksNoLogCallAndIsCounted() {
    try (Rig rig =
        Rig.started(
            appender ->
                appender.addFilter(
                    filter(
                        event -> {
                          throw new IllegalStateException("bad filter");
                        })))) {
      assertThatCode(() -> rig.log(3)).doesNotThrowAnyException();
      rig.appender.stop();

      assertThat(rig.snapshot().dropped(DropReason.PREPARE_FAILED)).isEqualTo(3);
      Conservation.assertSettled(rig.appender, 3, rig.delegate);
    }
  }

  @Test
  void whatAFilterDeniesIsNotOffered() {
    ThresholdFilter threshold = new ThresholdFilter();
    threshold.setLevel("WARN");
    threshold.start();
    try (Rig rig = Rig.started(appender -> appender.addFilter(threshold))) {
      rig.log(10);
      rig.logger.warn("event");
      rig.appender.stop();

      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  @Test
  void eventsBeforeStartAndAfterStopAreCountedWithoutAStatus() {
    Rig rig = Rig.unstarted(appender -> {});
    rig.log(3);
    rig.appender.start();
    rig.appender.stop();
    rig.log(4);

    assertThat(rig.snapshot().dropped(DropReason.STOPPED)).isEqualTo(7);
    assertThat(rig.problems()).isEmpty();
    Conservation.assertSettled(rig.appender, 7, rig.delegate);
  }

  @Test
  void aDelegateThatLogsAtAFullRingNeitherRecursesNorDeadlocks() {
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setRingBufferSize(4);
              appender.setAppendTimeout(Rig.ms(3_600_000));
            })) {
      Gate gate = new Gate();
      rig.delegate.before(
          event -> {
            gate.pass();
            rig.logger.info("from the delegate");
          });
      rig.logger.error("held");
      gate.awaitReached();
      Thread application = new Thread(() -> rig.log(100)); // has to wait for room
      application.start();
      gate.open();
      Await.end(application);
      rig.awaitDelivered(101);
      rig.appender.stop();

      assertThat(rig.snapshot().dropped(DropReason.REENTRANT)).isGreaterThanOrEqualTo(101);
      Conservation.assertHolds(rig.appender, rig.delegate);
      assertThat(rig.snapshot().inFlight()).isZero();
    }
  }

  @Test
  void aDelegateOfAnotherAppenderThatLogsHereIsRefusedToo() {
    RecordingAppender inner = new RecordingAppender();
    try (Rig rig = Rig.started(appender -> {});
        Rig other = Rig.started(appender -> appender.addAppender(inner))) {
      other.delegate.before(event -> rig.logger.info("from the other's flusher"));
      other.logger.info("event");
      other.awaitDelivered(1);
      Await.until("refused", () -> rig.snapshot().dropped(DropReason.REENTRANT) >= 1);
      rig.appender.stop();

      Conservation.assertHolds(rig.appender, rig.delegate);
    }
  }

  @Test
  void aStrayInterruptOfTheFlusherCostsNothing() {
    try (Rig rig = Rig.started(appender -> appender.setThreadNameFormat("interrupted-%3$s"))) {
      Thread flusher = StopTest.threads("interrupted-flusher").get(0);
      for (int i = 1; i <= 50; i++) {
        flusher.interrupt();
        rig.logger.error("event");
        flusher.interrupt();
        rig.awaitDelivered(i);
      }
      assertThat(flusher.isAlive()).isTrue();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 50, rig.delegate);
    }
  }

  @Test
  void aDelegateThatInterruptsItsThreadOrConsumesTheInterruptHarmsNobody() {
    try (Rig rig = Rig.started(appender -> {})) {
      AtomicReference<Boolean> flag = new AtomicReference<>(false);
      rig.delegate.before(
          event -> {
            Thread.currentThread().interrupt();
            flag.set(Thread.interrupted());
          });
      rig.log(100);
      rig.appender.stop();

      assertThat(flag.get()).as("an interrupt only wakes").isFalse();
      Conservation.assertSettled(rig.appender, 100, rig.delegate);
    }
  }

  @Test
  void theThreadsAreNamedDaemons() {
    RecordingListener listener = new RecordingListener();
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setThreadNameFormat("%1$s|%3$s");
              appender.addListener(listener);
            })) {
      assertThat(StopTest.threads("RING|flusher")).singleElement().matches(Thread::isDaemon);
      Await.until("told of the start", () -> !listener.threads().isEmpty());
      assertThat(listener.threads())
          .singleElement()
          .matches(Thread::isDaemon)
          .extracting(Thread::getName)
          .isEqualTo("RING|reporter");
      Conservation.assertHolds(rig.appender, rig.delegate);
    }
  }

  @Test
  void anEventWithoutALevelBreaksNoLogCall() {
    try (Rig rig = Rig.started(appender -> {})) {
      LoggingEvent event = new LoggingEvent();
      event.setMDCPropertyMap(Map.of());
      assertThatCode(() -> rig.appender.doAppend(event)).doesNotThrowAnyException();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  @Test
  void noEventAtAllBreaksNoLogCallAndIsNotCounted() {
    Rig rig = Rig.unstarted(appender -> {});
    assertThatCode(() -> rig.appender.doAppend(null)).as("stopped").doesNotThrowAnyException();
    rig.appender.start();
    assertThatCode(() -> rig.appender.doAppend(null)).as("started").doesNotThrowAnyException();
    rig.log(1);
    rig.appender.stop();

    Conservation.assertSettled(rig.appender, 1, rig.delegate);
  }

  private static Filter<ILoggingEvent> filter(Consumer<ILoggingEvent> step) {
    Filter<ILoggingEvent> filter =
        new Filter<>() {
          @Override
          public FilterReply decide(ILoggingEvent event) {
            step.accept(event);
            return FilterReply.NEUTRAL;
          }
        };
    filter.setContext(Events.context("filter"));
    filter.start();
    return filter;
  }

  @Test
  void onlyTheTextOfAMessageIsFixedByTheCall() {
    StringBuilder argument = new StringBuilder("before");
    try (Rig rig = Rig.started(Rig::patient)) {
      Gate gate = rig.blockFlusher();
      rig.logger.info("{}", argument);
      argument.replace(0, argument.length(), "after");
      gate.open();
      rig.appender.stop();

      ILoggingEvent event = rig.delegate.events().get(1);
      assertThat(event.getFormattedMessage()).isEqualTo("before");
      assertThat(event.getArgumentArray()[0]).hasToString("after");
      Conservation.assertSettled(rig.appender, 2, rig.delegate);
    }
  }

  @Test
  void aLogCallWaitsForNoMonitorAndNeverParks() {
    AtomicReference<ThreadInfo> info = new AtomicReference<>();
    try (Rig rig = Rig.started(Rig::patient)) {
      Gate gate = rig.blockFlusher();
      Thread caller =
          new Thread(
              () -> {
                rig.log(100_000);
                long id = Thread.currentThread().getId();
                info.set(ManagementFactory.getThreadMXBean().getThreadInfo(id));
              });
      caller.start();
      Await.end(caller);
      gate.open();
      rig.appender.stop();

      assertThat(info.get().getBlockedCount()).as("monitors waited for").isZero();
      assertThat(info.get().getWaitedCount()).as("times parked").isZero();
      Conservation.assertSettled(rig.appender, 100_001, rig.delegate);
    }
  }
}
