package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.read.ListAppender;
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
}
