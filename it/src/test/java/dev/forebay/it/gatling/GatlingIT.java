package dev.forebay.it.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Gatling itself, with our appender. */
@Tag("nightly")
class GatlingIT {

  private static final Path EXAMPLE = Path.of("..", "src", "examples", "gatling", "logback.xml");
  private static final int USERS = 4;

  /** Of each user. */
  private static final int REQUESTS = 100;

  private static final Pattern SENT = Pattern.compile("orders\\\\/(\\d+): scenario=Clients");

  @AutoClose private final Places places = Places.create();

  /** With the documented configuration, at TRACE; at its end Gatling calls System.exit. */
  @Test
  void gatlingsOwnLogIsCompleteWhenGatlingHasExited() throws Exception {
    HttpServer server = server();
    try {
      Path offered = places.root().resolve("offered");
      Path logging = Files.writeString(places.root().resolve("logback.xml"), verbose(offered));
      String output =
          loadFromGatling(
              "http://127.0.0.1:" + server.getAddress().getPort(),
              "-Dlogback.configurationFile=" + logging,
              "-DLOG_DIR=" + places.logDirectory(),
              "-DSPOOL_DIR=" + places.spool(),
              "-DGATLING_HTTP=TRACE");
      assertThat(output).doesNotContain("ERROR", "WARN");
      List<String> lines = LogFiles.of(places.logDirectory().resolve("gatling.json")).lines();
      assertThat(lines).hasSize((int) Files.size(offered));
      assertThat(lines.stream().filter(line -> !line.matches("\\{.*}"))).isEmpty();
      assertThat(
              lines.stream()
                  .flatMap(line -> SENT.matcher(line).results())
                  .map(order -> Integer.valueOf(order.group(1))))
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, USERS * REQUESTS).boxed().toList());
    } finally {
      server.stop(0);
    }
  }

  /** The example, with everything about requests, and a byte of each event before its appender. */
  private static String verbose(Path offered) throws IOException {
    String example = Files.readString(EXAMPLE);
    String root = "<root level=\"INFO\">";
    assertThat(example).contains(root);
    return example.replace(
        root,
        """
        <appender name="OFFERED" class="ch.qos.logback.core.FileAppender">
          <file>%s</file><encoder><pattern>.%%nopex</pattern></encoder>
        </appender>
        <logger name="io.gatling.http" level="TRACE"/>
        %s<appender-ref ref="OFFERED"/>
        """
            .formatted(offered, root));
  }

  private static HttpServer server() throws IOException {
    InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    HttpServer server = HttpServer.create(new InetSocketAddress(here, 0), 0);
    server.createContext(
        "/orders/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  /** Runs the simulation in a process of its own; what that prints. Each request is answered. */
  private String loadFromGatling(String url, String... options) throws Exception {
    Path target = Path.of("gatling", "target").toAbsolutePath();
    assertThat(target.resolve("class-path"))
        .as("mvn package -DskipTests -pl '!benchmarks'")
        .exists();
    Path home = places.directory("gatling");
    List<String> all = new ArrayList<>(List.of("-Xmx256m", "-XX:+UseSerialGC"));
    all.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    if (Runtime.version().feature() >= 24) {
      all.add("--enable-native-access=ALL-UNNAMED");
    }
    all.addAll(List.of("-Dload.url=" + url, "-Dload.users=" + USERS));
    all.add("-Dload.requests=" + REQUESTS);
    all.addAll(List.of(options));
    String classPath =
        target.resolve("classes")
            + File.pathSeparator
            + Files.readString(target.resolve("class-path"));
    String[] arguments = {
      "-rf", home.resolve("results").toString(), "-s", "dev.forebay.it.gatling.OrdersSimulation"
    };
    try (Program gatling =
        Program.start(home, all, classPath, "io.gatling.app.Gatling", arguments)) {
      assertThat(gatling.awaitEnd()).as(gatling.output()).isZero();
      return gatling.output();
    }
  }
}
