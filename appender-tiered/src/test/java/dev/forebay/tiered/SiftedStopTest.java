package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.sift.SiftingAppender;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logback's sifting appender stops those that are stale on the thread that logs. */
class SiftedStopTest {

  private static final long PATIENCE_MS = 20_000;

  @TempDir Path directory;

  private final LoggerContext context = new LoggerContext();

  @Test
  void aLogCallDoesNotWaitForTheStopOfALogThatCannotBeWritten() throws Exception {
    Joran.sift(context, directory + "/${user}.log", directory, "1 hour");
    Logger logger = context.getLogger(Logger.ROOT_LOGGER_NAME);
    SiftingAppender sifting = (SiftingAppender) logger.getAppender("SIFT");
    Path log = Files.createDirectory(directory.resolve("stale.log"));
    long nowMs = System.currentTimeMillis();
    log(logger, "stale", nowMs);
    TieredAppender stale = (TieredAppender) sifting.getAppenderTracker().find("stale");

    Thread caller = new Thread(() -> log(logger, "busy", nowMs + 3_600_000));
    caller.start();
    caller.join(PATIENCE_MS);

    assertThat(caller.isAlive()).as("the log call returned").isFalse();
    assertThat(stale.isStarted()).isFalse();
    assertThat(stale.snapshot().inFlight()).as("the stop has not ended").isOne();

    Files.delete(log);
    stale.stop(); // waits for the stop that goes on
    assertThat(Files.readAllLines(log)).containsExactly("event");
    assertThat(stale.snapshot().inFlight()).isZero();
    context.stop();
  }

  private static void log(Logger logger, String user, long atMs) {
    LoggingEvent event = new LoggingEvent("caller", logger, Level.INFO, "event", null, null);
    event.setInstant(Instant.ofEpochMilli(atMs));
    event.setMDCPropertyMap(Map.of("user", user));
    logger.callAppenders(event);
  }
}
