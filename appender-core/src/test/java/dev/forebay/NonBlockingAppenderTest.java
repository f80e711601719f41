package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.read.ListAppender;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.RecordingAppender;
import dev.forebay.testkit.Rig;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NonBlockingAppenderTest {

  private final LoggerContext context = new LoggerContext();

  @BeforeEach
  void giveTheContextAnMdc() {
    context.setMDCAdapter(new LogbackMDCAdapter());
  }

  @Test
  void everyEventReachesTheAttachedAppenderAndIsAccountedFor() {
    ListAppender<ILoggingEvent> list = new ListAppender<>();
    list.setContext(context);
    list.start();
    NonBlockingAppender appender = new NonBlockingAppender();
    appender.setName("RING");
    appender.setContext(context);
    appender.addAppender(list);
    appender.start();
    assertThat(appender.isStarted())
        .as("%s", context.getStatusManager().getCopyOfStatusList())
        .isTrue();
    Logger logger = context.getLogger("test");
    logger.addAppender(appender);

    for (int i = 0; i < 1000; i++) {
      logger.info("event {}", i);
    }
    appender.stop();

    assertThat(list.list).as("%s %s", appender.snapshot(), list.list).hasSize(1000);
    assertThat(appender.snapshot().offered()).isEqualTo(1000);
    assertThat(appender.snapshot().delivered()).isEqualTo(1000);
    assertThat(appender.snapshot().inFlight()).isZero();
    assertThat(context.getStatusManager().getCopyOfStatusList()).isEmpty();
  }

  @Test
  void appendersAreStartedAndStoppedOnceAndGetEachEventInTheirOrder() {
    List<String> order = new CopyOnWriteArrayList<>();
    RecordingAppender second = new RecordingAppender().named("SECOND");
    try (Rig rig = Rig.unstarted(appender -> appender.addAppender(second))) {
      rig.delegate.before(event -> order.add("first"));
      second.before(event -> order.add("second"));
      rig.appender.start();
      rig.appender.start();
      rig.appender.doAppend(Events.info("event"));
      rig.appender.stop();
      rig.appender.stop();

      assertThat(order).containsExactly("first", "second");
      assertThat(List.of(rig.delegate, second)).allMatch(to -> to.starts() == 1 && to.stops() == 1);
      Conservation.assertSettled(rig.appender, 1, rig.delegate, second);
    }
  }
}
