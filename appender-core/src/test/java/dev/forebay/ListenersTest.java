package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.status.StatusListener;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropSummary;
import dev.forebay.observe.FailureListener;
import dev.forebay.observe.LoggingFailureListener;
import dev.forebay.observe.StatusFailureListener;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.RecordingListener;
import dev.forebay.testkit.Rig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class ListenersTest {

  private static final int SLOTS = 16;

  private final RecordingListener listener = new RecordingListener();

  /** A stop waits for the last report only briefly. */
  private void awaitStopped(int times) {
    Await.until("told of the stop", () -> listener.calls("stopped").size() == times);
  }

  @Test
  void isToldOfStartDropsTheirEndAndStopOnTheReportersThreadsOnly() {
    try (Rig rig = rig(listener)) {
      press(rig, 20);
      Await.until("told of the end", () -> listener.calls().contains("ended"));
      rig.stop(21);
      awaitStopped(1);

      assertThat(listener.calls()).first().isEqualTo("started RING");
      assertThat(listener.calls()).last().isEqualTo("stopped RING");
      assertThat(listener.calls("started")).hasSize(1);
      assertThat(listener.calls("stopped")).hasSize(1);
      assertThat(listener.dropped()).isEqualTo(rig.snapshot().dropped());
      assertThat(listener.threads())
          .extracting(Thread::getName)
          .allMatch(name -> name.contains("reporter"));
    }
  }

  @Test
  void aListenerThatBlocksHoldsUpNobodyElseAndIsToldLater() {
    Gate gate = new Gate();
    try (Rig rig = rig(listener.before(gate::pass))) {
      gate.awaitReached();
      press(rig, 20);
      assertThat(rig.appender.flush(Duration.ofSeconds(20))).isTrue();
      rig.stop(21);
      assertThat(listener.calls()).isEmpty();
      gate.open();
      awaitStopped(1);
      assertThat(listener.calls()).containsExactly("started RING", "dropped 4", "stopped RING");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aListenerThatThrowsIsReportedAsAStatusAndTheNextIsTold(boolean statusListenerThrows) {
    FailureListener throwing =
        onDropped(
            () -> {
              throw new NoClassDefFoundError("listener");
            });
    StatusListener statusListener =
        status -> {
          throw new IllegalStateException("status listener");
        };
    try (Rig rig = Rig.unstarted(appender -> configure(appender, throwing))) {
      if (statusListenerThrows) {
        rig.context.getStatusManager().add(statusListener);
      }
      rig.appender.addListener(listener);
      rig.appender.start();
      press(rig, 20);
      Await.until("told", () -> listener.dropped() == 4);
      press(rig, 20);
      Await.until("told again", () -> listener.dropped() == 8);
      rig.stop(42);
      awaitStopped(1);

      if (!statusListenerThrows) {
        assertThat(rig.problems())
            .anyMatch(text -> text.contains("Listener ") && text.contains("threw"));
      }
      assertThat(listener.calls()).last().isEqualTo("stopped RING");
    }
  }

  @Test
  void aListenerThatLogsIntoTheSameAppenderIsHeard() {
    AtomicReference<Logger> logger = new AtomicReference<>();
    AtomicInteger said = new AtomicInteger();
    FailureListener chatty =
        onDropped(
            () -> {
              said.incrementAndGet();
              logger.get().warn("listener says so");
            });
    try (Rig rig = Rig.unstarted(appender -> configure(appender, chatty))) {
      logger.set(rig.logger);
      rig.appender.start();
      press(rig, 20);
      Await.until("heard", () -> rig.delegate.messages().contains("listener says so"));
      rig.appender.stop();

      Conservation.assertSettled(rig.appender, 21 + said.get(), rig.delegate);
    }
  }

  @Test
  void theListenersOfOursWriteSummariesToALoggerAndStatuses() {
    LoggerContext global = (LoggerContext) LoggerFactory.getILoggerFactory();
    RecordingAppender heard = new RecordingAppender();
    heard.start();
    Logger target = global.getLogger("drops-of-listeners-test");
    target.setAdditive(false);
    target.setLevel(Level.INFO);
    target.addAppender(heard);
    LoggingFailureListener logging = new LoggingFailureListener();
    logging.setLoggerName(target.getName());
    StatusFailureListener statuses = new StatusFailureListener();
    try (Rig rig = Rig.unstarted(appender -> configure(appender, logging))) {
      statuses.setContext(rig.context);
      rig.appender.addListener(statuses);
      rig.appender.start();
      press(rig, 20);
      rig.awaitDelivered(1 + SLOTS);
      rig.delegate.before(
          event -> {
            if (event.getFormattedMessage().equals("fails")) {
              throw new IllegalStateException("once");
            }
          });
      rig.logger.warn("fails");
      rig.logger.warn("works");
      Await.until(
          "heard of the recovery",
          () -> heard.messages().stream().anyMatch(text -> text.contains("works again")));
      rig.stop(23);

      assertThat(heard.messages())
          .anyMatch(text -> text.contains("[RING]") && text.contains("RING_FULL"))
          .anyMatch(text -> text.contains("failed 1 times") && text.contains("once"));
      assertThat(rig.problems()).anyMatch(text -> text.contains("RING_FULL"));
    } finally {
      target.detachAppender(heard);
    }
  }

  private static Rig rig(FailureListener listener) {
    return Rig.started(appender -> configure(appender, listener));
  }

  private static void configure(NonBlockingAppender appender, FailureListener listener) {
    appender.addListener(listener);
    appender.setReportInterval("10 ms");
    appender.setRingBufferSize(SLOTS);
    appender.setDiscardingThreshold(0);
  }

  private static FailureListener onDropped(Runnable action) {
    return new FailureListener() {
      @Override
      public void onDropped(String appender, List<DropSummary> drops) {
        action.run();
      }
    };
  }

  /** Offers more than the ring holds while the flusher stands still. */
  private static void press(Rig rig, int events) {
    Gate gate = rig.blockFlusher();
    rig.log(events);
    gate.open();
    rig.delegate.before(event -> {});
  }
}
