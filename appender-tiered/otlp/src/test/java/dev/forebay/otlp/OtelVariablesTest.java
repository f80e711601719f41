package dev.forebay.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the environment says wrongly. */
class OtelVariablesTest {

  @TempDir Path spool;

  /** A header in another form would be missing, and requests refused, without a word. */
  @Test
  void whatIsNoPairInTheEnvironmentIsTold() throws Exception {
    try (Collector collector = Collector.start()) {
      Map<String, String> environment =
          Map.of(
              "OTEL_EXPORTER_OTLP_HEADERS", "Authorization: Bearer s3cret,a=1,",
              "OTEL_RESOURCE_ATTRIBUTES", "zone,=z,b=2");
      try (Shop shop = Shop.start(spool, to -> to.setEndpoint(collector.endpoint()), environment)) {
        shop.log.info("x");
        collector.awaitRecords(1);
        assertThat(shop.problems())
            .hasSize(2)
            .anyMatch(text -> text.contains("OTEL_EXPORTER_OTLP_HEADERS has a part that must be"))
            .anyMatch(text -> text.contains("OTEL_RESOURCE_ATTRIBUTES has a part that must be"))
            .noneMatch(text -> text.contains("s3cret"));
      }
      assertThat(collector.requests().get(0).headers().getFirst("a")).isEqualTo("1");
      assertThat(collector.requests().get(0).logs().getResourceLogs(0).getResource())
          .asString()
          .contains("key: \"b\"")
          .doesNotContain("zone", "key: \"\"");
    }
  }
}
