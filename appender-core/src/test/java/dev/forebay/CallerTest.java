package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Rig;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
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
      rig.stop(2);

      ILoggingEvent event = rig.delegate.events().get(1);
      assertThat(event.getFormattedMessage()).isEqualTo("argument before");
      assertThat(event.getThreadName()).isEqualTo(Thread.currentThread().getName());
      assertThat(event.getMDCPropertyMap()).containsEntry("key", "value");
    }
  }

  @Test
  void callerDataIsTakenWhenAskedForAndOnlyThen() {
    for (boolean include : new boolean[] {true, false}) {
      try (Rig rig = Rig.started(appender -> appender.setIncludeCallerData(include))) {
        rig.logger.info("event");
        rig.stop(1);

        ILoggingEvent event = rig.delegate.events().get(0);
        assertThat(event.hasCallerData()).isEqualTo(include);
        if (include) {
          assertThat(event.getCallerData()[0].getClassName()).isEqualTo(CallerTest.class.getName());
        }
      }
    }
  }

  @Test
  void aFilterThatThrowsBreaksNoLogCallAndIsCounted() {
    Filter<ILoggingEvent> bad =
        new Filter<>() {
          @Override
          public FilterReply decide(ILoggingEvent event) {
            throw new IllegalStateException("bad filter");
          }
        };
    bad.start();
    try (Rig rig = Rig.started(appender -> appender.addFilter(bad))) {
      assertThatCode(() -> rig.log(3)).doesNotThrowAnyException();
      rig.stop(3);
      assertThat(rig.snapshot().dropped(DropReason.PREPARE_FAILED)).isEqualTo(3);
    }
  }

  @Test
  void whatAFilterLogsIsCountedAndItsEventIsDelivered() {
    Rig rig = Rig.unstarted(appender -> {});
    Filter<ILoggingEvent> chatty =
        new Filter<>() {
          @Override
          public FilterReply decide(ILoggingEvent event) {
            rig.logger.debug("from the filter");
            return FilterReply.NEUTRAL;
          }
        };
    rig.appender.addFilter(chatty);
    rig.appender.start();
    rig.log(3);
    rig.stop(6);

    assertThat(rig.delegate.messages()).startsWith("event 0", "event 1", "event 2");
    assertThat(rig.snapshot().dropped(DropReason.REENTRANT, org.slf4j.event.Level.DEBUG))
        .isEqualTo(3);
  }

  @Test
  void twoDelegatesThatLogDoNotFeedEachOthersRings() {
    try (Rig one = Rig.started(appender -> {});
        Rig other = Rig.started(appender -> {})) {
      one.delegate.before(event -> other.logger.info("sent by one"));
      other.delegate.before(event -> one.logger.info("sent by the other"));
      one.log(3);
      Await.until("flushed", () -> one.appender.flush(Duration.ofSeconds(1)));
      one.stop(3);
      other.stop(3);
      assertThat(other.snapshot().dropped(DropReason.REENTRANT)).isEqualTo(3);
    }
  }

  @Test
  void aFilterIsAskedBeforeADelegatesEventCountsAsDropped() {
    Rig rig = Rig.unstarted(appender -> {});
    ThresholdFilter info = new ThresholdFilter();
    info.setLevel("INFO");
    info.start();
    rig.appender.addFilter(info);
    rig.delegate.before(event -> rig.logger.debug("sent"));
    try (rig) {
      rig.appender.start();
      rig.log(3).stop(3);
      assertThat(rig.snapshot().dropped()).isZero();
    }
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
      Thread application = new Thread(() -> rig.log(100));
      application.start();
      Await.until("it waits for room", () -> application.getState() == Thread.State.TIMED_WAITING);
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
      rig.stop(100_001);

      assertThat(info.get().getBlockedCount()).as("monitors waited for").isZero();
      assertThat(info.get().getWaitedCount()).as("times parked").isZero();
    }
  }
}
