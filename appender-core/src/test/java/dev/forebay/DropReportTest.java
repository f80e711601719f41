package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.testkit.Rig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import net.logstash.logback.encoder.LogstashEncoder;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The report of drops in the log itself. */
class DropReportTest {

  @Test
  void onePressureGivesOneReportBehindWhatWasInTheRing() {
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
    }
  }

  @Test
  void aReportIsValidJsonWhereTheLogIsJson() throws Exception {
    LogstashEncoder encoder = new LogstashEncoder();
    List<String> lines = new CopyOnWriteArrayList<>();
    try (Rig rig = Rig.started(appender -> appender.setRingBufferSize(4))) {
      encoder.setContext(rig.context);
      encoder.start();
      Gate gate = new Gate();
      rig.delegate.before(
          event -> {
            gate.pass();
            lines.add(new String(encoder.encode(event), StandardCharsets.UTF_8));
          });
      rig.logger.error("held");
      gate.awaitReached();
      rig.log(Level.WARN, 10);
      gate.open();
      rig.stop(11);
    }
    JsonNode report = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(report.get("message").asString()).contains("6 events dropped");
    assertThat(report.get("level").asString()).isEqualTo("WARN");
    assertThat(report.get("logger_name").asString()).isEqualTo("dev.forebay");
    assertThat(report.get("@timestamp").asString()).isNotBlank();
  }
}
