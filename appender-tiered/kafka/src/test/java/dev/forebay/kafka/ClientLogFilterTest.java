package dev.forebay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import org.junit.jupiter.api.Test;

class ClientLogFilterTest {

  @Test
  void anEventWithoutALoggerNamePasses() {
    assertThat(new ClientLogFilter().decide(new LoggingEvent())).isEqualTo(FilterReply.NEUTRAL);
  }
}
