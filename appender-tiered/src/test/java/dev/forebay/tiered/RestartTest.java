package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.observe.LedgerSnapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stop that leaves events in the spool, and starts of the same object. */
class RestartTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path directory;

  private final LoggerContext context = new LoggerContext();
  private Path log = Path.of("");
  private TieredAppender appender = new TieredAppender();

  @BeforeEach
  void aLogThatCannotBeWritten() throws Exception {
    context.setName("restart");
    log = Files.createDirectory(directory.resolve("app.log"));
    appender = newAppender("FIRST");
  }

  private TieredAppender newAppender(String name) {
    TieredAppender fresh = Joran.unstarted(context, name, log, directory);
    fresh.setMaxFlushTime("300 ms");
    return fresh;
  }

  /** Starts one that has time, logs through it and waits until all is in the log. */
  private void startAndFlush(TieredAppender one, int events) {
    one.setMaxFlushTime("20 seconds");
    one.start();
    log(one, events);
    assertThat(one.flush(PATIENCE)).isTrue();
  }

  @Test
  void aStartThatAnErrorEndsKeepsNobodyFromTheLog() throws Exception {
    Files.delete(log);
    PatternLayoutEncoder exhausted =
        new PatternLayoutEncoder() {
          @Override
          public byte[] headerBytes() {
            throw new OutOfMemoryError("as if");
          }
        };
    exhausted.setContext(context);
    exhausted.setPattern("%msg%n");
    Encoder<ILoggingEvent> usual = appender.getEncoder();
    appender.setEncoder(exhausted);

    assertThatThrownBy(appender::start).isInstanceOf(OutOfMemoryError.class);
    assertThat(appender.isStarted()).isFalse();

    TieredAppender second = newAppender("SECOND");
    startAndFlush(second, 10);
    second.stop();
    appender.setEncoder(usual);
    startAndFlush(appender, 10);
    assertAccount(10, 10, 0);
    assertThat(Files.readAllLines(log)).hasSize(20);
    appender.stop();
  }

  @Test
  void aLibraryThatDoesNotFitIsAnErrorStatusAndTheApplicationStarts() throws Exception {
    LoggerContext older =
        new LoggerContext() {
          @Override
          public Object getObject(String key) {
            if (key.equals(CoreConstants.SHUTDOWN_HOOK_THREAD)) {
              throw new NoSuchMethodError("as in an older Logback");
            }
            return super.getObject(key);
          }
        };
    appender = Joran.unstarted(older, "UNFIT", log, directory);
    appender.start();

    assertThat(appender.isStarted()).isFalse();
    Await.said();
    assertThat(older.getStatusManager().getCopyOfStatusList())
        .filteredOn(status -> status.getLevel() == Status.ERROR)
        .singleElement()
        .satisfies(
            status -> {
              assertThat(status.getMessage()).contains(appender.getName(), "not started");
              assertThat(status.getThrowable()).isInstanceOf(NoSuchMethodError.class);
            });
    log(appender, 1);
    assertAccount(1, 0, 0);
  }

  @Test
  void whatSeveralStartsLeaveIsShippedByTheNextAndCountedAndNamedOnce() throws Exception {
    leaveInTheSpool(100);
    leaveInTheSpool(10);
    leaveInTheSpool(0);
    assertAccount(110, 0, 110);
    assertThat(warningsOfEventsLeft())
        .hasSize(2)
        .element(1)
        .asString()
        .contains("10 events are left in the spool");
    Files.delete(log);
    startAndFlush(appender, 1);
    assertAccount(111, 1, 110);
    appender.stop();
    assertAccount(111, 1, 110);
    assertThat(Files.readAllLines(log)).hasSize(111);
    assertThat(warningsOfEventsLeft()).as("the last stop leaves nothing").hasSize(2);
  }

  @Test
  void whatAnotherAppenderShipsStaysInFlightAndIsNoWarning() throws Exception {
    leaveInTheSpool(100);
    Files.delete(log);
    TieredAppender other = newAppender("OTHER");
    startAndFlush(other, 1);
    other.stop();
    assertThat(other.snapshot().delivered()).as("its own").isOne();
    assertThat(Files.readAllLines(log)).hasSize(101);

    startAndFlush(appender, 1);
    appender.stop();

    assertAccount(101, 1, 100);
    assertThat(warningsOfEventsLeft()).as("of the first stop").hasSize(1);
  }

  private void leaveInTheSpool(int events) {
    appender.start();
    log(appender, events);
    appender.stop();
  }

  private void log(TieredAppender to, int events) {
    Logger logger = context.getLogger("test");
    logger.setLevel(Level.INFO);
    logger.addAppender(to);
    for (int i = 0; i < events; i++) {
      logger.info("event {}", i);
    }
    logger.detachAppender(to);
  }

  private void assertAccount(long offered, long delivered, long inFlight) {
    LedgerSnapshot account = appender.snapshot();
    assertThat(List.of(account.offered(), account.delivered(), account.inFlight()))
        .as("%s", account)
        .containsExactly(offered, delivered, inFlight);
    Joran.requireLaw(account);
  }

  private Stream<String> warningsOfEventsLeft() {
    return Joran.problems(context).stream().filter(text -> text.contains("left in the spool"));
  }
}
