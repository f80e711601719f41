package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.host.Gate;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingListener;
import dev.forebay.testkit.Rig;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What users of asynchronous appenders complain of most does not happen here, as far as no test of
 * a stage shows it.
 */
class UserPainsTest {

  @TempDir private Path logs;

  @Test
  void aProgramThatEndsWithoutAStopLosesNoEvent() throws Exception {
    Path log = logs.resolve("exit.log");

    ChildJvm.run(ExitingProgram.class, log.toString());

    assertThat(Files.readAllLines(log)).hasSize(ExitingProgram.EVENTS + 1);
    assertThat(Files.readAllLines(log)).last().isEqualTo("from another shutdown hook");
  }

  @Test
  void anIdleAppenderUsesHardlyAnyCpu() {
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
  void aLogCallWaitsForNoMonitorAndNeverParks() {
    try (Rig rig = Rig.started(Rig::patient)) {
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
  void dropsAreReportedEvenWhileNothingIsDelivered() {
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
