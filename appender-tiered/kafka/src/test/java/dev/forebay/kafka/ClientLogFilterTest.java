package dev.forebay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientLogFilterTest {

  @ParameterizedTest
  @CsvSource({
    "org.apache.kafka.clients.NetworkClient, kafka-producer-network-thread | forebay-client-ab, DENY",
    "org.apache.kafka.clients.producer.ProducerConfig, forebay-shipper-KAFKA, DENY",
    "org.apache.kafka.clients.NetworkClient, kafka-producer-network-thread | orders, NEUTRAL",
    "com.example.App, forebay-shipper-KAFKA, NEUTRAL"
  })
  void onlyWhatOurClientLogsIsKeptOut(String logger, String thread, FilterReply reply) {
    LoggingEvent event =
        new LoggingEvent(
            "", new LoggerContext().getLogger(logger), Level.WARN, "Disconnected", null, null);
    event.setThreadName(thread);

    ClientLogFilter.SHIPPERS.add("forebay-shipper-KAFKA");
    assertThat(new ClientLogFilter().decide(event)).isEqualTo(reply);
  }

  @Test
  void anEventWithoutALoggerPasses() {
    assertThat(new ClientLogFilter().decide(new LoggingEvent())).isEqualTo(FilterReply.NEUTRAL);
  }
}
