package dev.forebay.it.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatlingLogTest {

  @TempDir Path directory;

  private GatlingLog log(String... contents) throws Exception {
    for (int i = 0; i < contents.length; i++) {
      Files.writeString(directory.resolve("app-" + i + ".log"), contents[i]);
    }
    return GatlingLog.read(directory.resolve("app.log"));
  }

  private static String line(String message) {
    return "{\"level\":\"TRACE\",\"message\":\"" + message + "\"}\n";
  }

  @Test
  void countsTheLinesOfAllFilesAndOfOrders() throws Exception {
    GatlingLog log =
        log(
            line("Order 7 requested by 127.0.0.1") + line("Order 7 found"),
            line("Order 7 item 0 costs 100 cents") + line("Order 7 item 79 costs 3023 cents"),
            line("Order 7 priced") + line("Order 8 requested") + line("something else"));

    assertThat(log.count()).isEqualTo(7);
    assertThat(log.ofOrders()).isEqualTo(6);
    assertThat(log.torn()).isZero();
    assertThat(log.doubled()).isZero();
  }

  @Test
  void noticesALineThatStandsThereTwice() throws Exception {
    GatlingLog log = log(line("Order 7 found") + line("Order 8 found"), line("Order 7 found"));

    assertThat(log.doubled()).isEqualTo(1);
    assertThat(log.ofOrders()).isEqualTo(2);
  }

  @Test
  void noticesTornLines() throws Exception {
    assertThat(log("{\"a\":1\n" + line("b") + "\n" + "{\"c\":1}").torn()).isEqualTo(3);
  }

  @Test
  void keepsWhatTheAppenderReports() throws Exception {
    String report = "Forebay: 3 events dropped between a and b: RING_FULL 3 (TRACE 3)";

    assertThat(log(line(report)).reports()).containsExactly(report);
  }
}
