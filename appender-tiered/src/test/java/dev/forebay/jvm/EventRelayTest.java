package dev.forebay.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.AppenderBase;
import dev.forebay.NonBlockingAppender;
import dev.forebay.host.Await;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.Joran;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The ring of the JVM's events while an appender takes none. */
class EventRelayTest {

  private static final int SLOTS = 32_768;
  private static final int TOO_MANY = 7;
  private static final String REPORT = "Forebay: ";

  private final LoggerContext context = new LoggerContext();
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger taken = new AtomicInteger();
  private final List<String> reports = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> attached =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          held.countDown();
          Await.latch(end);
          taken.incrementAndGet();
          if (event.getFormattedMessage().startsWith(REPORT)) {
            reports.add(event.getFormattedMessage());
          }
        }
      };

  private void log(NonBlockingAppender ring, Level level, int times) {
    for (int i = 0; i < times; i++) {
      ring.doAppend(
          new LoggingEvent("", context.getLogger("jvm.gc"), level, "line " + i, null, null));
    }
  }

  EventRelayTest() {
    context.setMDCAdapter(new LogbackMDCAdapter());
  }

  @Test
  void itHasRoomForEveryLevelCountsTheRestAndSaysSo() {
    attached.setContext(context);
    attached.start();
    EventRelay relay = new EventRelay();
    JvmLogAppender like = new JvmLogAppender();
    like.setContext(context);
    like.setMaxFlushTime("1 minute");
    assertThat(relay.start(like)).as("with no appender yet").isNull();
    relay.addAppender(attached);
    NonBlockingAppender ring = relay.start(like);
    try {
      log(ring, Level.TRACE, 1);
      Await.latch(held);
      log(ring, Level.TRACE, SLOTS);
      assertThat(ring.snapshot().dropped()).isZero();
      log(ring, Level.WARN, TOO_MANY);
      assertThat(ring.snapshot().dropped()).isEqualTo(TOO_MANY);
    } finally {
      end.countDown();
      relay.stop();
    }
    LedgerSnapshot account = ring.snapshot();
    Joran.requireLaw(account);
    assertThat(account.inFlight()).isZero();
    assertThat(account.offered() - account.reports()).isEqualTo(1 + SLOTS + TOO_MANY);
    assertThat(account.delivered()).isEqualTo(taken.get());
    assertThat(reports)
        .singleElement()
        .asString()
        .startsWith(REPORT + TOO_MANY + " events dropped");
  }
}
