package dev.forebay.it.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Places;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Forebay under Gatling's load, and under Gatling itself. */
@Tag("nightly")
class GatlingIT {

  private static final Path EXAMPLE = Path.of("..", "src", "examples", "gatling", "logback.xml");

  /** The disk is frozen for one of four seconds. */
  private static final GatlingLoad SHORT = new GatlingLoad(4, 100);

  /** Twice all events, so that an appender that gets no processor for seconds sheds none. */
  private static final int ROOM = 262_144;

  /** Gatling logs a request and an answer in a few events. */
  private static final GatlingLoad CHATTY = new GatlingLoad(2, 200);

  private static final Pattern SENT = Pattern.compile("orders\\\\/\\d+: scenario=Clients");

  /** One for each build; {@link GatlingComparisonIT} requires the same of both. */
  static List<GatlingApp> apps() {
    return named("boot");
  }

  /** Those that a run asks for, or else these. */
  static List<GatlingApp> named(String otherwise) {
    return Stream.of(System.getProperty("forebay.gatling.apps", otherwise).split(",", -1))
        .map(name -> GatlingApp.valueOf(name.toUpperCase(Locale.ROOT)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("apps")
  void noRequestFailsAndNoEventIsLostWhileTheLogDiskIsFrozen(GatlingApp app) throws Exception {
    GatlingOutcome outcome =
        new GatlingRun(app, GatlingAppender.FOREBAY, GatlingCondition.FROZEN).run(SHORT, ROOM);

    assertThat(outcome.faults(SHORT)).as("%s", outcome).isEmpty();
    assertThat(outcome.inWindow().requests()).as("%s", outcome).isPositive();
  }

  /** With the documented configuration, at TRACE; at its end Gatling calls System.exit. */
  @Test
  void gatlingsOwnLogIsCompleteWhenGatlingHasExited() throws Exception {
    HttpServer server = server();
    try (Places places = Places.create()) {
      Path counted = places.root().resolve("counted");
      Path logging = Files.writeString(places.root().resolve("logback.xml"), counting(counted));
      try (GatlingProcess gatling =
          GatlingProcess.start(
              "http://127.0.0.1:" + server.getAddress().getPort(),
              CHATTY,
              places.directory("gatling"),
              "-Dlogback.configurationFile=" + logging,
              "-DLOG_DIR=" + places.logDirectory(),
              "-DSPOOL_DIR=" + places.spool(),
              "-DGATLING_HTTP=TRACE")) {
        gatling.awaitLoad();
        assertThat(gatling.awaitEnd()).as(gatling.output()).isZero();
        assertThat(gatling.output()).doesNotContain("ERROR", "WARN");
      }
      List<String> lines = LogFiles.of(places.logDirectory().resolve("gatling.json")).lines();
      long offered = ByteBuffer.wrap(Files.readAllBytes(counted)).getLong();
      assertThat(lines.size()).as("lines").isEqualTo((int) offered);
      assertThat(lines.stream().filter(line -> !line.matches("\\{.*}"))).isEmpty();
      assertThat(ordered(lines))
          .containsExactlyElementsOf(
              IntStream.range(0, (int) CHATTY.allRequests()).boxed().toList());
    } finally {
      server.stop(0);
    }
  }

  /** The orders in the lines that Gatling writes before a request. */
  private static List<Integer> ordered(List<String> lines) {
    return lines.stream()
        .flatMap(line -> SENT.matcher(line).results())
        .map(MatchResult::group)
        .map(text -> Integer.valueOf(text.replaceAll("\\D", "")))
        .sorted()
        .toList();
  }

  /** The example, with everything about requests, counted before its appender. */
  private static String counting(Path counted) throws Exception {
    String example = Files.readString(EXAMPLE);
    String counter =
        "<appender name=\"COUNT\" class=\"dev.forebay.it.gatling.OfferedCount\"><file>%s</file>"
                .formatted(counted)
            + "</appender>";
    String root = "<root level=\"INFO\">";
    assertThat(example).contains(root);
    return example.replace(
        root,
        counter
            + "<logger name=\"io.gatling.http\" level=\"TRACE\"/>"
            + root
            + "<appender-ref ref=\"COUNT\"/>");
  }

  private static HttpServer server() throws Exception {
    HttpServer server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0), 0);
    server.createContext(
        "/orders/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    return server;
  }
}
