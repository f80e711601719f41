package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.sift.SiftingAppender;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.sift.AbstractDiscriminator;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.host.Gate;
import dev.forebay.observe.DropReason;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.Rig;
import dev.forebay.testkit.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An appender that is stopped by a thread that is inside a log call must not make that wait. */
class StopInALogCallTest {

  private static final long HOUR_MS = 3_600_000;

  @TempDir Path directory;

  @Test
  void aSiftingAppenderThatStopsAStaleOneDoesNotHoldUpTheCall() {
    try (Rig rig = Rig.started(appender -> appender.setMaxFlushTime(Rig.ms(HOUR_MS)))) {
      SiftingAppender sifting = sifting(rig);
      Gate gate = rig.blockFlusher();
      long nowMs = System.currentTimeMillis();
      log(rig.logger, "stale", nowMs);
      Threads.run(() -> log(rig.logger, "busy", nowMs + HOUR_MS));

      assertThat(sifting.getAppenderTracker().find("stale")).as("removed").isNull();
      assertThat(rig.appender.isStarted()).isFalse();
      assertThat(rig.delegate.stops()).as("the stop has not ended").isZero();
      assertThat(rig.snapshot().inFlight()).isEqualTo(2);
      rig.appender.doAppend(Events.info("late"));
      assertThat(rig.snapshot().dropped(DropReason.STOPPED)).isOne();

      gate.open();
      Await.until("stopped", () -> rig.delegate.stops() == 1);
      Await.until("settled", () -> rig.snapshot().inFlight() == 0);
      Conservation.assertSettled(rig.appender, 3, rig.delegate);
      assertThat(rig.problems()).isEmpty();
    }
  }

  @Test
  void aLogCallIsFoundInAJvmWhoseThrowablesHaveNoStack() throws Exception {
    assertThat(ChildJvm.run(List.of("-XX:-StackTraceInThrowable"), AsksInACall.class))
        .isEqualToIgnoringNewLines("false true");
  }

  /** Asks outside and inside of a log call. */
  static final class AsksInACall extends AppenderBase<ILoggingEvent> {

    private AsksInACall() {}

    @Override
    protected void append(ILoggingEvent event) {
      System.out.println(Stopper.isInLogCall());
    }

    public static void main(String[] args) {
      AsksInACall appender = new AsksInACall();
      appender.started = true;
      System.out.print(Stopper.isInLogCall() + " ");
      appender.doAppend(new LoggingEvent());
    }
  }

  @Test
  void theNextStartWaitsForTheStopBeforeIt() {
    try (Rig rig = Rig.started(appender -> appender.setMaxFlushTime(Rig.ms(HOUR_MS)))) {
      Gate gate = rig.blockFlusher();
      rig.logger.addAppender(
          new RecordingAppender()
              .named("STOPS")
              .before(
                  event -> {
                    if (event.getMessage().equals("stop")) {
                      rig.appender.stop();
                    }
                  }));
      Threads.run(() -> rig.logger.info("stop"));
      gate.open();

      rig.appender.start();
      assertThat(rig.delegate.stops()).isOne();
      assertThat(rig.delegate.isStarted()).isTrue();
      rig.log(10);
      rig.stop(12);

      assertThat(rig.snapshot().delivered()).isEqualTo(12);
    }
  }

  @Test
  void whatAContextStopsIsStoppedWhenTheCallReturns() {
    Rig rig = Rig.started(appender -> {});
    rig.log(1000);
    rig.context.stop();

    assertThat(rig.delegate.stops()).isOne();
    Conservation.assertSettled(rig.appender, 1000, rig.delegate);
  }

  @Test
  void aJvmThatEndsMeanwhileDrainsIt() throws Exception {
    Path log = directory.resolve("log");

    ChildJvm.run(StopsAndEnds.class, log.toString());

    assertThat(Files.readAllLines(log)).hasSize(StopsAndEnds.EVENTS + 1);
  }

  private static SiftingAppender sifting(Rig rig) {
    rig.logger.detachAppender(rig.appender);
    SiftingAppender sifting = new SiftingAppender();
    sifting.setContext(rig.context);
    sifting.setName("SIFT");
    sifting.setDiscriminator(new ByMdc());
    sifting.setAppenderFactory(
        (Context context, String value) ->
            value.equals("stale") ? rig.appender : new RecordingAppender());
    sifting.getDiscriminator().start();
    sifting.start();
    rig.logger.addAppender(sifting);
    return sifting;
  }

  private static void log(Logger logger, String user, long atMs) {
    LoggingEvent event = new LoggingEvent("caller", logger, Level.INFO, "event", null, null);
    event.setInstant(Instant.ofEpochMilli(atMs));
    event.setMDCPropertyMap(Map.of("user", user));
    logger.callAppenders(event);
  }

  /** The value of a key of the event's MDC. */
  private static final class ByMdc extends AbstractDiscriminator<ILoggingEvent> {

    @Override
    public String getDiscriminatingValue(ILoggingEvent event) {
      return event.getMDCPropertyMap().getOrDefault("user", "stale");
    }

    @Override
    public String getKey() {
      return "user";
    }
  }

  /** Fills a slow appender, has it stopped by a log call and ends. */
  static final class StopsAndEnds {

    static final int EVENTS = 200;

    private StopsAndEnds() {}

    public static void main(String[] args) {
      Path log = Path.of(args[0]);
      Rig rig = Rig.started(Rig::patient);
      rig.delegate.before(
          event -> {
            LockSupport.parkNanos(1_000_000);
            write(log);
          });
      rig.log(EVENTS);
      rig.logger.addAppender(new RecordingAppender().before(event -> rig.appender.stop()));
      rig.logger.info("stop");
    }

    private static void write(Path log) {
      try {
        Files.writeString(log, "x\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
