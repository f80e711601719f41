package dev.forebay.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The two logging configurations of the demo and what the stalled writer makes of them. */
class ConfigurationTest {

  private final String forebay = read("logback-forebay.xml");
  private final String async = read("logback-async.xml");

  private static String read(String name) {
    try (InputStream stream = ConfigurationTest.class.getResourceAsStream("/demo/" + name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String part(String configuration, String start, String end) {
    int from = configuration.indexOf(start);
    int to = configuration.indexOf(end, from);
    assertThat(from).as(start).isNotNegative();
    assertThat(to).as(end).isGreaterThan(from);
    return configuration.substring(from, to);
  }

  @Test
  void bothSidesWriteTheSameJsonToFilesThatRollAlike() {
    String encoder = "<encoder class=\"net.logstash.";
    assertThat(part(forebay, encoder, "</encoder>")).isEqualTo(part(async, encoder, "</encoder>"));
    assertThat(part(forebay, "<rollingPolicy", "</rollingPolicy>"))
        .isEqualTo(part(async, "<rollingPolicy", "</rollingPolicy>"));
    assertThat(part(forebay, "<root", "</root>")).isEqualTo(part(async, "<root", "</root>"));
  }

  @Test
  void bothSidesMayHoldAsManyEvents() {
    assertThat(forebay).contains("<ringBufferSize>32768</ringBufferSize>");
    assertThat(async).contains("<queueSize>32768</queueSize>");
  }

  @Test
  void theStalledWriterHoldsUpLogbacksFileAndLeavesForebaysToItsDisk() {
    assertThat(StalledWriter.withStallGates(forebay)).isEqualTo(forebay);
    assertThat(StalledWriter.withStallGates(async))
        .contains("dev.forebay.it.demo.app.StallingFileAppender")
        .doesNotContain("RollingFileAppender");
  }
}
