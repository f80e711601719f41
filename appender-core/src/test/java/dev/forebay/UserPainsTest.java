package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Await;
import dev.forebay.testkit.ChildJvm;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Gate;
import dev.forebay.testkit.Joran;
import dev.forebay.testkit.RecordingListener;
import dev.forebay.testkit.Rig;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

/** What users of asynchronous appenders have complained of for years. */
class UserPainsTest {

  @TempDir private Path logs;

  @Test
  @DisplayName("1: a full queue blocks the application")
  void aFullQueueBlocksTheApplication() {
    try (Rig rig = Rig.started(appender -> appender.setRingBufferSize(16))) {
      Gate gate = rig.blockFlusher();
      Thread application = new Thread(() -> rig.log(10_000));
      application.start();
      Await.end(application); // nobody opens the gate before

      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 10_001, rig.delegate);
    }
  }

  @Test
  @DisplayName("2: drops are silent and nobody counts them")
  void dropsAreSilentAndNobodyCountsThem() {
    RecordingListener listener = new RecordingListener();
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setRingBufferSize(16);
              appender.addListener(listener);
            })) {
      Gate gate = rig.blockFlusher();
      for (int i = 0; i < 100; i++) {
        rig.logger.error("event");
      }
      gate.open();
      rig.appender.stop();

      assertThat(rig.snapshot().dropped(DropReason.RING_FULL, Level.ERROR)).isEqualTo(84);
      assertThat(listener.dropped()).isEqualTo(84);
      assertThat(rig.delegate.reports()).singleElement().asString().contains("84 events dropped");
      Conservation.assertSettled(rig.appender, 101, rig.delegate);
    }
  }

  @Test
  @DisplayName("3: an Error kills the worker and the application hangs")
  void anErrorKillsTheWorkerAndTheApplicationHangs() {
    try (Rig rig = Rig.started(appender -> appender.setRingBufferSize(16))) {
      rig.delegate.before(
          event -> {
            if (event.getFormattedMessage().equals("bad")) {
              throw new NoClassDefFoundError("a class of the delegate");
            }
          });
      rig.logger.error("bad");
      Await.until("counted", () -> rig.snapshot().dropped(DropReason.DELIVERY_FAILED) == 1);
      for (int i = 0; i < 100; i++) {
        rig.logger.error("good");
        assertThat(rig.appender.flush(Duration.ofSeconds(20))).isTrue();
      }
      rig.appender.stop();
      assertThat(rig.delegate.messages()).filteredOn("good"::equals).hasSize(100);
      Conservation.assertSettled(rig.appender, 101, rig.delegate);
    }
  }

  @Test
  @DisplayName("4: the worker logs into its own queue and deadlocks")
  void theWorkerLogsIntoItsOwnQueueAndDeadlocks() {
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setRingBufferSize(2);
              appender.setAppendTimeout(Rig.ms(3_600_000));
            })) {
      rig.delegate.before(event -> rig.log(5));
      Thread application = new Thread(() -> rig.log(100));
      application.start();
      Await.end(application);
      rig.appender.stop();

      assertThat(rig.snapshot().dropped(DropReason.REENTRANT)).isGreaterThanOrEqualTo(500);
      assertThat(rig.snapshot().delivered()).isGreaterThanOrEqualTo(100);
      Conservation.assertHolds(rig.appender, rig.delegate);
    }
  }

  @Test
  @DisplayName("5: the last events are lost when a program ends that never stops its logging")
  void theLastEventsAreLostWhenAProgramEndsThatNeverStopsItsLogging() throws Exception {
    Path log = logs.resolve("exit.log");

    ChildJvm.run(ExitingProgram.class, log.toString());

    assertThat(Files.readAllLines(log)).hasSize(ExitingProgram.EVENTS + 1);
    assertThat(Files.readAllLines(log)).last().isEqualTo("from another shutdown hook");
  }

  @Test
  @DisplayName("6: stop burns a core or hangs")
  void stopBurnsACoreOrHangs() {
    try (Rig rig = Rig.started(appender -> appender.setMaxFlushTime(Rig.ms(300)))) {
      Gate gate = rig.blockFlusher();
      Thread.currentThread().interrupt();
      long cpuBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      rig.appender.stop();
      long cpuNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuBefore;

      assertThat(Thread.interrupted()).isTrue();
      assertThat(cpuNs).isLessThan(TimeUnit.MILLISECONDS.toNanos(150));
      gate.open();
      Await.until("settled", () -> rig.snapshot().inFlight() == 0);
      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  @Test
  @DisplayName("7: an idle appender uses CPU")
  void anIdleAppenderUsesCpu() {
    try (Rig rig = Rig.started(appender -> appender.setThreadNameFormat("idle-cpu-%3$s"))) {
      rig.logger.error("event");
      rig.awaitDelivered(1);
      long id = StopTest.threads("idle-cpu-flusher").get(0).getId();
      long startNs = System.nanoTime();
      long cpuBefore = ManagementFactory.getThreadMXBean().getThreadCpuTime(id);
      Await.until(
          "half a second", () -> System.nanoTime() - startNs > TimeUnit.MILLISECONDS.toNanos(500));
      long cpuNs = ManagementFactory.getThreadMXBean().getThreadCpuTime(id) - cpuBefore;

      assertThat(cpuNs).isLessThan((System.nanoTime() - startNs) / 10);
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  @Test
  @DisplayName("8: virtual threads are pinned by locks on the caller's side")
  void virtualThreadsArePinnedByLocksOnTheCallersSide() {
    try (Rig rig = Rig.started(appender -> {})) {
      Gate gate = rig.blockFlusher();
      Thread caller =
          new Thread(
              () -> {
                rig.log(100_000);
                long id = Thread.currentThread().getId();
                var info = ManagementFactory.getThreadMXBean().getThreadInfo(id);
                assertThat(info.getBlockedCount()).as("monitors waited for").isZero();
                assertThat(info.getWaitedCount()).as("times parked").isZero();
              });
      Throwable[] failure = new Throwable[1];
      caller.setUncaughtExceptionHandler((thread, thrown) -> failure[0] = thrown);
      caller.start();
      Await.end(caller);
      gate.open();

      assertThat(failure[0]).isNull();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 100_001, rig.delegate);
    }
  }

  @Test
  @DisplayName("9: the summary of drops comes late or never")
  void theSummaryOfDropsComesLateOrNever() {
    RecordingListener listener = new RecordingListener();
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.setRingBufferSize(16);
              appender.setReportInterval(Rig.ms(10));
              appender.addListener(listener);
            })) {
      Gate gate = rig.blockFlusher();
      rig.log(100);
      // No event gets through after the drops, and still it is told.
      Await.until("told", () -> listener.dropped() == rig.snapshot().dropped());
      gate.open();
      Await.until("in the log", () -> !rig.delegate.reports().isEmpty());
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 101, rig.delegate);
    }
  }

  @Test
  @DisplayName("10: the backlog fills the heap")
  void theBacklogFillsTheHeap() {
    long budget = 8 << 20;
    try (Rig rig = Rig.started(appender -> appender.setRingBufferBytes(new FileSize(budget)))) {
      Gate gate = rig.blockFlusher();
      for (int i = 0; i < 1000; i++) { // 200 MB if nobody stopped it
        rig.logger.error("{} {}", i, Events.text(100_000));
      }
      long held = rig.snapshot().inFlight() * 200_000;

      assertThat(held).isLessThanOrEqualTo(budget);
      assertThat(rig.snapshot().dropped(DropReason.BYTES_FULL)).isGreaterThan(900);
      gate.open();
      rig.appender.stop();
      Conservation.assertSettled(rig.appender, 1001, rig.delegate);
    }
  }

  @Test
  @DisplayName("11: caller data is missing behind the queue")
  void callerDataIsMissingBehindTheQueue() {
    try (Rig rig = Rig.started(appender -> appender.setIncludeCallerData(true))) {
      rig.logger.info("event");
      rig.appender.stop();

      StackTraceElement caller = rig.delegate.events().get(0).getCallerData()[0];
      assertThat(caller.getMethodName()).isEqualTo("callerDataIsMissingBehindTheQueue");
      Conservation.assertSettled(rig.appender, 1, rig.delegate);
    }
  }

  @Test
  @DisplayName("12: recursion since Logback dropped its re-entry guard")
  void recursionSinceLogbackDroppedItsReEntryGuard() {
    try (Rig rig = Rig.started(appender -> {})) {
      Object recursive =
          new Object() {
            @Override
            public String toString() {
              rig.logger.info("again {}", this);
              return "done";
            }
          };
      rig.logger.info("first {}", recursive);
      rig.appender.stop();

      assertThat(rig.delegate.messages()).first().isEqualTo("first done");
      assertThat(rig.snapshot().dropped(DropReason.REENTRANT)).isOne();
      Conservation.assertSettled(rig.appender, 2, rig.delegate);
    }
  }

  @Test
  @DisplayName("13: after a reset of the context the appender is dead")
  void afterAResetOfTheContextTheAppenderIsDead() throws Exception {
    String xml = Joran.example("nonblocking-replacing-async-appender.xml");
    try (Joran joran = Joran.of(xml, logs)) {
      for (int round = 0; round < 5; round++) {
        NonBlockingAppender ring = joran.ring("ASYNC");
        for (int i = 0; i < 100; i++) {
          joran.context().getLogger("application").info("round {} event {}", round, i);
        }
        joran.reset(xml);
        assertThat(ring.isStarted()).isFalse();
        Conservation.assertSettled(ring, 100);
        assertThat(ring.snapshot().delivered()).isEqualTo(100);
      }
      assertThat(joran.errors()).isEmpty();
    }
    assertThat(Files.readAllLines(logs.resolve("application.log"))).hasSize(500);
  }

  /** Logs and ends, as plain programs do; another hook logs while the JVM shuts down. */
  static final class ExitingProgram {

    static final int EVENTS = 5000;

    private ExitingProgram() {}

    public static void main(String[] args) {
      var context = Events.context("exiting");
      var encoder = new PatternLayoutEncoder();
      encoder.setContext(context);
      encoder.setPattern("%msg%n");
      encoder.start();
      var file = new FileAppender<ILoggingEvent>();
      file.setContext(context);
      file.setName("FILE");
      file.setFile(args[0]);
      file.setEncoder(encoder);
      NonBlockingAppender ring = new NonBlockingAppender();
      ring.setContext(context);
      ring.setName("RING");
      ring.setDiscardingThreshold(0);
      ring.addAppender(file);
      ring.start();
      var logger = context.getLogger("application");
      logger.addAppender(ring);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    logger.info("from another shutdown hook");
                    ring.flush(Duration.ofSeconds(20));
                  }));
      for (int i = 0; i < EVENTS; i++) {
        logger.info("event {}", i);
      }
    }
  }
}
