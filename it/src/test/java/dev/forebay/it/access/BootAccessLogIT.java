package dev.forebay.it.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.framework.BootProcess;
import dev.forebay.it.framework.FatJar;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The access log of the Tomcat that Spring Boot embeds, through Logback's valve. */
@Tag("jdk")
class BootAccessLogIT {

  private static final int REQUESTS = 300;

  @AutoClose private final Places places = Places.create();

  private BootProcess start(Path jar) throws IOException {
    return BootProcess.start(
        jar, places.root(), "--it.access=true", "--server.tomcat.max-keep-alive-requests=-1");
  }

  private static int port(BootProcess boot) {
    return Integer.parseInt(boot.output().replaceFirst("(?s).*ready (\\d+)\n.*", "$1"));
  }

  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#wanted")
  void eachRequestHasItsLineOnceAlsoIfTheApplicationIsKilled(FatJar version) throws Exception {
    String inner =
        "<spoolDirectory>%s</spoolDirectory><durability>call</durability>"
            .formatted(places.spool());
    String appender = AccessLogIT.appender("ACCESS", AccessLogIT.TIERED, places.log(), inner);
    Path jar =
        version.with(
            "logback-access.xml",
            "<configuration>%s<appender-ref ref=\"ACCESS\"/></configuration>".formatted(appender),
            places.directory("jar"));
    Visitors visitors;
    try (BootProcess boot = start(jar)) {
      visitors = new Visitors(port(boot), AccessLogIT.VISITORS, 1000);
      visitors.awaitMore(REQUESTS);
      boot.kill();
      visitors.stop();
    }
    try (BootProcess boot = start(jar)) {
      for (int i = 0; i < REQUESTS; i++) {
        assertThat(boot.get("/again/" + i)).isEqualTo("/again/" + i);
      }
      BootProcess.Account account = boot.flushedAccounts().get("ACCESS");
      assertThat(account.dropped()).isZero();
      assertThat(account.delivered()).isEqualTo(account.offered());
      boot.terminate();
    }
    List<String> lines = places.lines();
    List<String> visits = lines.stream().filter(line -> line.startsWith("/v")).toList();
    AccessLogIT.requireLines(visits, visitors, 1, 1); // Spring answers before the valve logs
    List<String> others = new ArrayList<>(List.of("/flushed - 200"));
    for (int i = 0; i < REQUESTS; i++) {
      others.add("/again/%d - 200".formatted(i));
    }
    assertThat(lines.subList(visits.size(), lines.size()))
        .containsExactlyInAnyOrderElementsOf(others);
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }
}
