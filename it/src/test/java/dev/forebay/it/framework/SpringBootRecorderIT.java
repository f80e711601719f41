package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.host.Await;
import dev.forebay.host.DumpFiles;
import dev.forebay.it.support.Places;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The flight recorder of an application whose failures are logged after their MDC is cleared. */
class SpringBootRecorderIT {

  private static final int OTHERS = 30;

  @AutoClose private final Places places = Places.create();

  private static void serveOthers(BootProcess boot, int first) throws Exception {
    for (int number = first; number < first + OTHERS; number++) {
      boot.get("/orders/" + number);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#representative")
  void eachRequestThatFailsHasItsOwnEventsInADumpThoughOnlyTomcatLogsIt(FatJar version)
      throws Exception {
    String xml =
        BootXml.option(
            places, BootXml.tiered(places, "<flightRecorder><key>traceId</key></flightRecorder>"));
    try (BootProcess boot =
        BootProcess.start(
            version.path(),
            places.root().resolve("output"),
            xml,
            "--logging.level.dev.forebay.it.boot=TRACE")) {
      serveOthers(boot, 0);
      for (String failing : List.of("fails-1", "fails-2")) {
        assertThatThrownBy(() -> boot.get("/failing-orders/" + failing))
            .hasMessageContaining("500");
      }
      serveOthers(boot, OTHERS);
      Await.until("two dumps", () -> DumpFiles.of(places.log()).size() == 2);
      for (int i = 0; i < 2; i++) {
        requireOnly("fails-" + (i + 1), DumpFiles.of(places.log()).get(i));
      }
      assertThat(boot.terminate()).as(boot.output()).isEqualTo(BootProcess.TERMINATED);
    }
    assertThat(DumpFiles.of(places.log())).as("nothing is taken for a crash").hasSize(2);
  }

  private static void requireOnly(String order, Path dump) throws Exception {
    assertThat(DumpFiles.remarks(dump).get(0))
        .contains("only events with traceId=" + order + ", the last one of its thread");
    assertThat(DumpFiles.events(dump))
        .as("of the request, and what Tomcat says of it")
        .hasSize(3)
        .allMatch(line -> line.contains(order));
    assertThat(DumpFiles.events(dump).get(2)).startsWith("org.apache.catalina");
  }
}
