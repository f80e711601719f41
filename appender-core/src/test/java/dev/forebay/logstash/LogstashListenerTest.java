package dev.forebay.logstash;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import dev.forebay.NonBlockingAppender;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.DropSummary;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Joran;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.Rig;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import net.logstash.logback.appender.listener.AppenderListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

class LogstashListenerTest {

  private static final String XML =
      """
      <configuration>
        <appender name="LIST" class="ch.qos.logback.core.read.ListAppender"/>
        <appender name="RING" class="dev.forebay.NonBlockingAppender">
          <ringBufferSize>16</ringBufferSize>
          <reportInterval>1 minute</reportInterval>
          <listener class="dev.forebay.logstash.LogstashListener">
            <delegate
              class="net.logstash.logback.appender.listener.FailureSummaryLoggingAppenderListener">
              <loggerName>summaries-of-logstash-test</loggerName>
            </delegate>
          </listener>
          <appender-ref ref="LIST"/>
        </appender>
        <root level="INFO"><appender-ref ref="RING"/></root>
      </configuration>
      """;

  @TempDir private Path logs;

  @Test
  void theFailureSummaryOfTheLogstashEncoderSpeaksEvenWhenNothingFollowsTheDrops() {
    RecordingAppender heard = new RecordingAppender();
    heard.start();
    Logger target =
        ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger("summaries-of-logstash-test");
    target.setAdditive(false);
    target.addAppender(heard);
    try (Joran joran = Joran.of(XML, logs)) {
      assertThat(joran.errors()).isEmpty();
      assertThat(joran.warnings()).isEmpty();
      NonBlockingAppender ring = joran.ring("RING");
      RecordingAppender gated = new RecordingAppender();
      gated.start();
      ring.addAppender(gated);
      Gate gate = new Gate();
      gated.gatedBy(gate);
      Logger logger = joran.context().getLogger("application");
      logger.error("held");
      gate.awaitReached();
      for (int i = 0; i < 20; i++) {
        logger.warn("event");
      }
      gate.open();
      joran.context().stop();

      // A stop waits for the reporter only briefly.
      Await.until("the summary", () -> !heard.messages().isEmpty());
      assertThat(heard.messages()).singleElement().asString().contains("4");
      Conservation.assertSettled(ring, 21, gated);
    } finally {
      target.detachAppender(heard);
    }
  }

  @Test
  void listenersAreToldOfEachDropOnTheReportersThreadAndOfStartAndStop() {
    Recording recording = new Recording();
    LogstashListener bridge = new LogstashListener();
    bridge.addDelegate(recording);
    bridge.start();
    try (Rig rig =
        Rig.started(
            appender -> {
              bridge.setParent(appender);
              appender.addListener(bridge);
              appender.setRingBufferSize(16);
              appender.setDiscardingThreshold(0);
              appender.setReportInterval(Rig.ms(60_000));
            })) {
      Gate gate = rig.blockFlusher();
      rig.log(20);
      gate.open();
      rig.appender.stop();

      assertThat(recording.calls)
          .containsExactly(
              "started RING",
              "failed RING dropped: RING_FULL",
              "failed RING dropped: RING_FULL",
              "failed RING dropped: RING_FULL",
              "failed RING dropped: RING_FULL",
              "appended RING",
              "stopped RING");
      assertThat(recording.threads).allMatch(name -> name.contains("reporter"));
      Conservation.assertSettled(rig.appender, 21, rig.delegate);
    }
  }

  @Test
  void millionsOfDropsAreAThousandCallsAndTheirNumberInWords() {
    Recording recording = new Recording();
    LogstashListener bridge = new LogstashListener();
    bridge.addDelegate(recording);
    bridge.onDropped(
        "RING",
        List.of(
            new DropSummary(DropReason.RING_FULL, Level.INFO, 5_000_000, 1, 2, null),
            new DropSummary(DropReason.SHED, Level.DEBUG, 1, 1, 2, null)));

    assertThat(recording.calls).hasSize(1000 + 1 + 1);
    assertThat(recording.calls.get(999)).contains("RING_FULL, 5000000 in all", "1000");
    assertThat(recording.calls.get(1000)).endsWith("dropped: SHED");
    assertThat(recording.calls.get(1001)).as("makes a summary speak").startsWith("appended");
  }

  @Test
  void aDelegateThatThrowsDoesNotKeepTheOthersFromBeingTold() {
    Recording recording = new Recording();
    LogstashListener bridge = new LogstashListener();
    bridge.addDelegate(
        new Recording() {
          @Override
          public void appenderStarted(Appender<ILoggingEvent> appender) {
            throw new IllegalStateException("delegate");
          }
        });
    bridge.addDelegate(recording);
    try (Rig rig = Rig.unstarted(appender -> appender.addListener(bridge))) {
      bridge.setContext(rig.context);
      rig.appender.start();
      Await.until("started", () -> !recording.calls.isEmpty());
      rig.appender.stop();

      assertThat(rig.problems())
          .anyMatch(text -> text.contains("Listener ") && text.contains("threw"));
      Conservation.assertSettled(rig.appender, 0, rig.delegate);
    }
  }

  private static class Recording implements AppenderListener<ILoggingEvent> {
    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<String> threads = new CopyOnWriteArrayList<>();

    private void note(String call, Appender<ILoggingEvent> appender) {
      calls.add(call.formatted(appender.getName()));
      threads.add(Thread.currentThread().getName());
    }

    @Override
    public void appenderStarted(Appender<ILoggingEvent> appender) {
      note("started %s", appender);
    }

    @Override
    public void appenderStopped(Appender<ILoggingEvent> appender) {
      note("stopped %s", appender);
    }

    @Override
    public void eventAppended(Appender<ILoggingEvent> appender, ILoggingEvent event, long ns) {
      note("appended %s", appender);
    }

    @Override
    public void eventAppendFailed(
        Appender<ILoggingEvent> appender, ILoggingEvent event, Throwable reason) {
      note("failed %s " + reason.getMessage(), appender);
    }
  }
}
