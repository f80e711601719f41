package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.testkit.Rig;
import net.logstash.logback.encoder.LogstashEncoder;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The report of drops in the log itself. */
class DropReportTest {

  @Test
  void onePressureGivesOneReportBehindWhatWasInTheRing() throws Exception {
    try (Rig rig = Rig.started(appender -> appender.setRingBufferSize(16))) {
      Gate gate = rig.blockFlusher();
      rig.log(Level.WARN, 20);
      gate.open();
      Await.until("reported", () -> !rig.delegate.reports().isEmpty());
      rig.logger.warn("after");
      rig.stop(22);

      assertThat(rig.delegate.reports())
          .singleElement()
          .asString()
          .startsWith("Forebay: 4 events dropped between ")
          .endsWith(": RING_FULL 4 (WARN 4)");
      assertThat(rig.delegate.messages()).element(17).asString().startsWith("Forebay: ");
      assertThat(rig.delegate.messages()).element(18).isEqualTo("after");
      ILoggingEvent report = rig.delegate.events().get(17);
      assertThat(report.getLevel()).hasToString("WARN");
      assertThat(report.getLoggerName()).isEqualTo("dev.forebay");
      assertThat(rig.snapshot().reports()).isOne();
      LogstashEncoder encoder = new LogstashEncoder();
      encoder.setContext(rig.context);
      encoder.start();
      JsonNode json = new ObjectMapper().readTree(encoder.encode(report));
      assertThat(json.get("message").asString()).contains("4 events dropped");
      assertThat(json.get("level").asString()).isEqualTo("WARN");
      assertThat(json.get("@timestamp").asString()).isNotBlank();
    }
  }
}
