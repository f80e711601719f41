package dev.forebay.testkit;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.forebay.NonBlockingAppender;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.observe.LedgerSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.event.Level;

/** A logger, the appender under test and one recording appender behind it. Closing it stops it. */
public final class Rig implements AutoCloseable {

  private static final String HELD = "held at the gate";

  public final LoggerContext context = Events.context("rig");
  public final Logger logger = context.getLogger("test");
  public final NonBlockingAppender appender = new NonBlockingAppender();
  public final RecordingAppender delegate = new RecordingAppender();

  /** An appender that {@code configure} may still change, not started. */
  public static Rig unstarted(Consumer<NonBlockingAppender> configure) {
    Rig rig = new Rig();
    configure.accept(rig.appender);
    return rig;
  }

  public static Rig started(Consumer<NonBlockingAppender> configure) {
    Rig rig = unstarted(configure);
    rig.appender.start();
    return rig;
  }

  private Rig() {
    delegate.setContext(context);
    logger.setLevel(ch.qos.logback.classic.Level.TRACE);
    logger.setAdditive(false);
    logger.addAppender(appender);
    appender.setName("RING");
    appender.setContext(context);
    appender.addAppender(delegate);
  }

  public Rig log(int events) {
    for (int i = 0; i < events; i++) {
      logger.info("event {}", i);
    }
    return this;
  }

  public Rig log(Level level, int events) {
    for (int i = 0; i < events; i++) {
      logger.atLevel(level).log("event {}", i);
    }
    return this;
  }

  /** Stops, and asserts the law for so many events of the application. */
  public void stop(long logged) {
    appender.stop();
    Await.until("settled", () -> snapshot().inFlight() == 0);
    Conservation.assertSettled(appender, logged, delegate);
  }

  /** Has the flusher stand at a gate with one event in its hand; the ring behind it is empty. */
  public Gate blockFlusher() {
    Await.until("nothing before it", () -> appender.flush(Duration.ofSeconds(1)));
    Gate gate = new Gate();
    // Not a report of earlier drops, which may come at any moment: it does not pass the ring.
    delegate.before(
        event -> {
          if (event.getMessage().equals(HELD)) {
            gate.pass();
          }
        });
    logger.error(HELD);
    gate.awaitReached();
    return gate;
  }

  public LedgerSnapshot snapshot() {
    return appender.snapshot();
  }

  public void awaitDelivered(long events) {
    Await.until(
        events + " events delivered, now " + snapshot(), () -> snapshot().delivered() >= events);
  }

  /** Statuses at or above WARN. */
  public List<String> problems() {
    return Events.problems(context);
  }

  /** Gives stop() all the time it needs, for tests of something else on a busy machine. */
  public static void patient(NonBlockingAppender appender) {
    appender.setMaxFlushTime(ms(20_000));
  }

  public static String ms(long milliseconds) {
    return milliseconds + " ms";
  }

  @Override
  public void close() {
    appender.stop();
  }
}
