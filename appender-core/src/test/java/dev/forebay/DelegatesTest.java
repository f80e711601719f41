package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.Rig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DelegatesTest {

  @Test
  void everyAttachedAppenderGetsEveryEvent() {
    RecordingAppender second = new RecordingAppender().named("SECOND");
    try (Rig rig = Rig.started(appender -> appender.addAppender(second))) {
      rig.log(100);
      rig.appender.stop();

      Conservation.assertSettled(rig.appender, 100, rig.delegate, second);
    }
  }

  @Test
  void aRingBehindARingGetsEveryEventAndTheReports() {
    try (Rig behind = Rig.started(appender -> {});
        Rig rig = Rig.started(appender -> appender.addAppender(behind.appender))) {
      rig.appender.stop();
      rig.log(5);
      behind.appender.start();
      rig.appender.start();
      rig.log(100);
      rig.appender.stop();

      assertThat(rig.delegate.reports()).hasSize(1);
      assertThat(behind.delegate.messages()).containsExactlyElementsOf(rig.delegate.messages());
      Conservation.assertSettled(rig.appender, 105, rig.delegate);
      Conservation.assertSettled(behind.appender, 101, behind.delegate);
    }
  }

  @Test
  void whatADelegateLogsByItselfGetsIntoNoRingBehindIt() {
    try (Rig behind = Rig.started(appender -> {});
        Rig rig = Rig.started(appender -> appender.addAppender(behind.appender))) {
      rig.delegate.before(event -> behind.logger.info("from the delegate"));
      rig.log(10);
      rig.appender.stop();

      assertThat(behind.delegate.messages())
          .filteredOn(text -> text.startsWith("event"))
          .hasSize(10);
      assertThat(behind.delegate.messages()).doesNotContain("from the delegate");
      assertThat(behind.snapshot().dropped(DropReason.REENTRANT)).isGreaterThanOrEqualTo(10);
      Conservation.assertSettled(rig.appender, 10, rig.delegate);
      Conservation.assertHolds(behind.appender, behind.delegate);
    }
  }

  @Test
  void anExceptionInOneAppenderCostsTheOthersNothing() {
    RecordingAppender second = new RecordingAppender().named("SECOND");
    try (Rig rig = Rig.started(appender -> appender.addAppender(second))) {
      rig.delegate.before(
          event -> {
            throw new IllegalStateException("always");
          });
      rig.log(100);
      rig.appender.stop();

      assertThat(second.messages()).filteredOn(text -> text.startsWith("event")).hasSize(100);
      assertThat(rig.snapshot().dropped(DropReason.DELIVERY_FAILED))
          .isEqualTo(rig.snapshot().offered());
      Conservation.assertSettled(rig.appender, 100, rig.delegate);
    }
  }

  @Test
  void aDelegateWhoseLibraryDoesNotFitCostsTheOthersNothing() {
    RecordingAppender unfit =
        new RecordingAppender() {
          @Override
          public void start() {
            throw new NoSuchMethodError("as in an older library");
          }
        }.named("UNFIT");
    try (Rig rig = Rig.started(appender -> appender.addAppender(unfit))) {
      rig.log(100);
      rig.appender.stop();

      assertThat(rig.delegate.messages()).filteredOn(text -> text.startsWith("event")).hasSize(100);
    }
  }

  @Test
  void aLibraryThatDoesNotFitIsAnErrorStatusAndTheApplicationStarts() {
    LoggerContext older =
        new LoggerContext() {
          @Override
          public Object getObject(String key) {
            throw new NoSuchMethodError("as in an older Logback");
          }
        };
    NonBlockingAppender appender = new NonBlockingAppender();
    appender.setName("RING");
    appender.setContext(older);
    appender.addAppender(new RecordingAppender());
    appender.start();

    assertThat(appender.isStarted()).isFalse();
    assertThat(older.getStatusManager().getCopyOfStatusList())
        .singleElement()
        .satisfies(
            status -> {
              assertThat(status.getLevel()).isEqualTo(Status.ERROR);
              assertThat(status.getMessage()).contains("[RING]", "not started");
              assertThat(status.getThrowable()).isInstanceOf(NoSuchMethodError.class);
            });
  }

  @Test
  void anErrorInADelegateIsSurvivedAndCounted() {
    try (Rig rig = Rig.started(appender -> appender.setThreadNameFormat("error-%3$s"))) {
      Thread flusher = StopTest.threads("error-flusher").get(0);
      AtomicInteger calls = new AtomicInteger();
      rig.delegate.before(
          event -> {
            if (calls.incrementAndGet() == 3) {
              throw new NoClassDefFoundError("once");
            }
          });
      rig.log(10);
      Await.until("all are settled", () -> rig.snapshot().delivered() >= 9);

      assertThat(flusher.isAlive()).isTrue();
      assertThat(rig.snapshot().dropped(DropReason.DELIVERY_FAILED)).isOne();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 10, rig.delegate);
    }
  }

  @Test
  void aSharedChildThatIsStoppedFirstIsCountedNotSilentlyLost() {
    try (Rig rig = Rig.started(appender -> {})) {
      Gate gate = rig.blockFlusher();
      rig.log(99);
      rig.delegate.stop();
      gate.open();
      rig.appender.stop();

      assertThat(rig.snapshot().dropped(DropReason.DELIVERY_FAILED)).isGreaterThanOrEqualTo(99);
      assertThat(rig.snapshot().delivered()).isOne();
      Conservation.assertSettled(rig.appender, 100, rig.delegate);
    }
  }

  @Test
  void aDelegateDetachedWhileRunningGetsNoMore() {
    RecordingAppender second = new RecordingAppender().named("SECOND");
    try (Rig rig = Rig.started(appender -> appender.addAppender(second))) {
      rig.log(10);
      rig.awaitDelivered(10);
      assertThat(rig.appender.isAttached(second)).isTrue();
      assertThat(rig.appender.getAppender("SECOND")).isSameAs(second);
      assertThat(rig.appender.detachAppender("SECOND")).isTrue();
      assertThat(rig.appender.detachAppender(second)).isFalse();
      rig.log(10);
      rig.appender.stop();

      assertThat(second.taken()).isEqualTo(10);
      assertThat(rig.appender.iteratorForAppenders()).toIterable().containsExactly(rig.delegate);
      Conservation.assertSettled(rig.appender, 20, rig.delegate);
    }
  }

  @Test
  void eventsWithoutAnyAppenderLeftAreCounted() {
    try (Rig rig = Rig.started(appender -> {})) {
      rig.appender.detachAndStopAllAppenders();
      rig.log(10);
      rig.appender.stop();

      assertThat(rig.delegate.isStarted()).isFalse();
      assertThat(rig.snapshot().dropped(DropReason.DELIVERY_FAILED)).isGreaterThanOrEqualTo(10);
      Conservation.assertSettled(rig.appender, 10, rig.delegate);
    }
  }

  @Test
  void appendersThatBufferAreFlushedAtTheEndOfABatch() {
    try (Rig rig = Rig.started(appender -> {})) {
      rig.log(10);
      assertThat(rig.appender.flush(Duration.ofSeconds(20))).isTrue();

      assertThat(rig.delegate.flushes()).isBetween(1, 10);
      Conservation.assertHolds(rig.appender, rig.delegate);
    }
  }

  @Test
  void anErrorWhileFlushingOneAppenderDoesNotKeepTheOthersFromBeingFlushed() {
    RecordingAppender second = new RecordingAppender().named("SECOND");
    try (Rig rig = Rig.started(appender -> appender.addAppender(second))) {
      rig.delegate.onFlush(
          () -> {
            throw new NoClassDefFoundError("flush");
          });
      rig.log(10);
      rig.appender.stop();

      assertThat(second.flushes()).isPositive();
      Conservation.assertSettled(rig.appender, 10, rig.delegate, second);
    }
  }

  @Test
  void anOutputStreamAppenderIsFlushedOnlyWhenItDoesNotDoSoItself() {
    for (boolean immediate : List.of(true, false)) {
      CountingStream stream = new CountingStream();
      try (Rig rig = Rig.unstarted(appender -> {})) {
        rig.appender.addAppender(streamAppender(rig, stream, immediate));
        rig.appender.start();
        rig.log(10);
        assertThat(rig.appender.flush(Duration.ofSeconds(20))).isTrue();

        if (immediate) {
          assertThat(stream.flushes.get()).isEqualTo(10);
        } else {
          assertThat(stream.flushes.get()).isBetween(1, 10);
        }
        assertThat(stream.toString(StandardCharsets.UTF_8)).hasLineCount(10);
        Conservation.assertHolds(rig.appender, rig.delegate);
      }
    }
  }

  @Test
  void aStoppedAppenderAndOneWithoutAStreamAreNotFlushed() {
    RecordingAppender stopped = new RecordingAppender().named("STOPPED");
    OutputStreamAppender<ILoggingEvent> withoutStream =
        new OutputStreamAppender<>() {
          @Override
          public boolean isStarted() {
            return true;
          }

          @Override
          public void doAppend(ILoggingEvent event) {}
        };
    withoutStream.setImmediateFlush(false);
    try (Rig rig = Rig.unstarted(appender -> {})) {
      rig.appender.addAppender(stopped);
      rig.appender.addAppender(withoutStream);
      rig.appender.start();
      stopped.stop();
      rig.log(10);
      assertThat(rig.appender.flush(Duration.ofSeconds(20))).isTrue();
      rig.appender.stop();

      assertThat(stopped.flushes()).isZero();
      assertThat(rig.delegate.flushes()).isPositive();
      assertThat(rig.delegate.messages()).filteredOn(text -> text.startsWith("event")).hasSize(10);
      assertThat(rig.snapshot().dropped(DropReason.DELIVERY_FAILED))
          .as("the stopped one takes nothing")
          .isEqualTo(rig.snapshot().offered());
      Conservation.assertHolds(rig.snapshot());
    }
  }

  @Test
  void anIoExceptionWhileFlushingCostsNoEvent() {
    CountingStream stream = new CountingStream();
    try (Rig rig = Rig.unstarted(appender -> {})) {
      rig.appender.addAppender(streamAppender(rig, stream, false));
      rig.appender.start();
      stream.failing = true;
      rig.log(10);
      rig.awaitDelivered(10);
      stream.failing = false;
      rig.log(1);
      rig.appender.stop();

      assertThat(stream.toString(StandardCharsets.UTF_8)).hasLineCount(11);
      Conservation.assertSettled(rig.appender, 11, rig.delegate);
    }
  }

  @Test
  void referencesAreClearedBeforeTheBatchEnds() {
    try (Rig rig = Rig.started(appender -> {})) {
      Gate gate = rig.blockFlusher();
      AtomicInteger reachable = new AtomicInteger(-1);
      rig.delegate.countingOnly();
      WeakReference<?>[] first = new WeakReference<?>[1];
      rig.delegate.before(
          event -> {
            if (event.getFormattedMessage().equals("first")) {
              first[0] = new WeakReference<>(event);
            } else if (event.getFormattedMessage().equals("last")) {
              for (int i = 0; i < 50 && first[0].get() != null; i++) {
                System.gc();
              }
              reachable.set(first[0].get() == null ? 0 : 1);
            }
          });
      rig.logger.info("first");
      rig.log(5);
      rig.logger.info("last");
      gate.open();
      rig.appender.stop();

      assertThat(reachable).hasValue(0);
      Conservation.assertSettled(rig.appender, 8, rig.delegate);
    }
  }

  @Test
  void aDelegateWhoseStartThrowsIsReportedAndTheOthersWork() {
    Rig rig = Rig.unstarted(appender -> {});
    RecordingAppender bad =
        new RecordingAppender() {
          @Override
          public void start() {
            throw new IllegalStateException("no such port");
          }
        }.named("BAD");
    rig.appender.addAppender(bad);
    rig.appender.start();
    rig.log(10);
    rig.appender.stop();

    assertThat(rig.problems()).anyMatch(text -> text.contains("BAD"));
    assertThat(rig.delegate.messages()).filteredOn(text -> text.startsWith("event")).hasSize(10);
    assertThat(rig.snapshot().dropped(DropReason.DELIVERY_FAILED)).isGreaterThanOrEqualTo(10);
    Conservation.assertSettled(rig.appender, 10);
  }

  private static OutputStreamAppender<ILoggingEvent> streamAppender(
      Rig rig, OutputStream stream, boolean immediateFlush) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(rig.context);
    encoder.setPattern("%msg%n");
    encoder.start();
    OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
    appender.setContext(rig.context);
    appender.setName("STREAM");
    appender.setEncoder(encoder);
    appender.setImmediateFlush(immediateFlush);
    appender.setOutputStream(stream);
    appender.start();
    return appender;
  }

  private static final class CountingStream extends ByteArrayOutputStream {
    final AtomicInteger flushes = new AtomicInteger();
    volatile boolean failing;

    @Override
    public void flush() throws IOException {
      if (failing) {
        throw new IOException("cannot flush");
      }
      flushes.incrementAndGet();
    }
  }
}
