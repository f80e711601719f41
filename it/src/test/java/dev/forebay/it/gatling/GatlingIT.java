package dev.forebay.it.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.forebay.host.Await;
import dev.forebay.it.demo.AppProcess;
import dev.forebay.it.demo.app.Figures;
import dev.forebay.it.framework.BootProcess;
import dev.forebay.it.framework.FatJar;
import dev.forebay.it.support.ChildReports;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Xml;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Applications under Gatling's load while the disk of their log is frozen, and Gatling itself. */
@Tag("nightly")
class GatlingIT {

  private static final Path EXAMPLE = Path.of("..", "src", "examples", "gatling", "logback.xml");
  private static final int USERS = Integer.getInteger("forebay.gatling.users", 4);

  /** Of each user. The spool holds what is logged for all. */
  private static final int REQUESTS = Integer.getInteger("forebay.gatling.requests", 100);

  /** Lines that the applications log for one order. */
  private static final int LINES_OF_AN_ORDER = 83;

  private static final long PATIENCE_S = 180;
  private static final Duration SETTLES = Duration.ofMillis(100);
  private static final Pattern ORDER = Pattern.compile("\"message\":\"(Order \\d+ [^\"]*)\"");
  private static final Pattern SENT = Pattern.compile("orders\\\\/(\\d+): scenario=Clients");

  @AutoClose private final Places places = Places.create();

  /**
   * What an application says at its end; counted is what its own counter saw before Forebay did.
   */
  private record End(long counted, long offered, long delivered, long dropped, long inFlight) {}

  /** All that is logged, counted and then given to an appender with a ring for twice as much. */
  private Path logging(Path disk, String counter) throws IOException {
    return Files.writeString(
        places.root().resolve("logging.xml"),
        """
        <configuration>
          <appender name="COUNT" class="%s"/>
          <appender name="JSON" class="dev.forebay.tiered.TieredAppender">
            %s
            <ringBufferSize>262144</ringBufferSize>
            <ringBufferBytes>256 MB</ringBufferBytes>
            <maxFlushTime>60 seconds</maxFlushTime>
            <listener class="dev.forebay.observe.LoggingFailureListener"/>
            %s
            <encoder class="net.logstash.logback.encoder.LoggingEventCompositeJsonEncoder">
              <providers>
                <timestamp/> <logLevel/> <loggerName/> <threadName/> <message/> <logstashMarkers/>
                <arguments/> <stackTrace/>
              </providers>
            </encoder>
          </appender>
          <root level="TRACE"><appender-ref ref="COUNT"/><appender-ref ref="JSON"/></root>
        </configuration>
        """
            .formatted(
                counter,
                Xml.places(disk.resolve("app.log"), places.spool()),
                Xml.rollBySize(disk, "20MB")));
  }

  @Test
  void noRequestToSpringBootFailsAndNoEventIsLostWhileTheLogDiskIsFrozen() throws Exception {
    try (Mounted disk = Mounted.disk(places, "1g")) {
      Path xml = logging(disk.at(), "dev.forebay.it.boot.OfferedCounter");
      try (BootProcess boot =
          BootProcess.start(
              FatJar.BOOT_4.path(),
              places.root().resolve("output"),
              "-Xmx512m",
              "--logging.config=" + xml)) {
        loadWhileFrozen(disk, boot.url());
        boot.get("/silence");
        long counted = settled(boot);
        BootProcess.Account account = boot.flushedAccounts().get("JSON");
        assertThat(account).isNotNull();
        assertThat(boot.terminate()).as(boot.output()).isEqualTo(BootProcess.TERMINATED);
        requireConserved(
            disk.at(),
            new End(
                counted,
                account.offered(),
                account.delivered(),
                account.dropped(),
                account.inFlight()));
      }
    }
  }

  /** Threads may still be in the middle of a last log call. */
  private static long settled(BootProcess boot) throws Exception {
    long[] counts = {-1, -2};
    Await.until(
        "nothing is logged",
        () -> {
          Await.pass(SETTLES);
          counts[1] = counts[0];
          counts[0] = Long.parseLong(boot.get("/offered"));
          return counts[0] == counts[1];
        });
    return counts[0];
  }

  @Test
  void noRequestToPlayFailsAndNoEventIsLostWhileTheLogDiskIsFrozen() throws Exception {
    try (Mounted disk = Mounted.disk(places, "1g")) {
      Path xml = logging(disk.at(), "dev.forebay.it.demo.app.OfferedCounter");
      List<String> options =
          List.of(
              "-Xmx512m",
              "-Dconfig.resource=demo/application.conf",
              "-Dlogback.configurationFile=demo/logback-before-play.xml",
              "-Dlogger.file=" + xml);
      try (AppProcess play = AppProcess.start("Play", places.directory("play"), options)) {
        Await.until("ready", () -> play.port() != 0 || !play.isAlive());
        play.requireAlive();
        loadWhileFrozen(disk, "http://127.0.0.1:" + play.port());
        play.tell("finish");
        Await.until("finished", () -> play.isFinished() || !play.isAlive());
        play.requireAlive();
        Figures last = play.figures();
        requireConserved(
            disk.at(),
            new End(
                last.get(Figures.COUNTED),
                last.get(Figures.OFFERED),
                last.get(Figures.DELIVERED),
                last.get(Figures.DROPPED),
                last.get(Figures.IN_FLIGHT)));
      }
    }
  }

  private void loadWhileFrozen(Mounted disk, String url) throws Exception {
    disk.freeze();
    loadFromGatling(url);
    disk.thaw();
  }

  private void requireConserved(Path disk, End end) throws Exception {
    assertThat(end.offered()).as("%s", end).isEqualTo(end.counted()).isEqualTo(end.delivered());
    assertThat(end.dropped() + end.inFlight()).as("%s", end).isZero();
    List<String> lines = LogFiles.of(disk.resolve("app.log")).lines();
    assertThat(lines).as("%s", end).hasSize((int) end.delivered());
    assertThat(lines.stream().filter(line -> !line.matches("\\{.*}"))).isEmpty();
    assertThat(found(lines, ORDER))
        .hasSize(USERS * REQUESTS * LINES_OF_AN_ORDER)
        .doesNotHaveDuplicates();
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  private static List<String> found(List<String> lines, Pattern what) {
    return lines.stream()
        .flatMap(line -> what.matcher(line).results())
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  /** With the documented configuration, at TRACE; at its end Gatling calls System.exit. */
  @Test
  void gatlingsOwnLogIsCompleteWhenGatlingHasExited() throws Exception {
    HttpServer server = server();
    try {
      Path counted = places.root().resolve("counted");
      Path logging = Files.writeString(places.root().resolve("logback.xml"), counting(counted));
      String output =
          loadFromGatling(
              "http://127.0.0.1:" + server.getAddress().getPort(),
              "-Dlogback.configurationFile=" + logging,
              "-DLOG_DIR=" + places.logDirectory(),
              "-DSPOOL_DIR=" + places.spool(),
              "-DGATLING_HTTP=TRACE");
      assertThat(output).doesNotContain("ERROR", "WARN");
      List<String> lines = LogFiles.of(places.logDirectory().resolve("gatling.json")).lines();
      long offered = ByteBuffer.wrap(Files.readAllBytes(counted)).getLong();
      assertThat(lines).hasSize((int) offered);
      assertThat(lines.stream().filter(line -> !line.matches("\\{.*}"))).isEmpty();
      assertThat(found(lines, SENT).stream().map(Integer::valueOf))
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, USERS * REQUESTS).boxed().toList());
    } finally {
      server.stop(0);
    }
  }

  /** The example, with everything about requests, counted before its appender. */
  private static String counting(Path counted) throws IOException {
    String example = Files.readString(EXAMPLE);
    String root = "<root level=\"INFO\">";
    assertThat(example).contains(root);
    return example.replace(
        root,
        """
        <appender name="COUNT" class="dev.forebay.it.gatling.OfferedCount">
          <file>%s</file>
        </appender>
        <logger name="io.gatling.http" level="TRACE"/>
        %s<appender-ref ref="COUNT"/>
        """
            .formatted(counted, root));
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
    assertThat(target.resolve("class-path")).as("mvn package -DskipTests -pl it -am").exists();
    Path home = places.directory("gatling");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ChildReports.QUICK);
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(List.of("-Xmx256m", "-Djava.io.tmpdir=" + home, "-Dload.url=" + url));
    command.addAll(List.of("-Dload.users=" + USERS, "-Dload.requests=" + REQUESTS));
    command.addAll(List.of(options));
    command.add("-cp");
    command.add(
        target.resolve("classes")
            + File.pathSeparator
            + Files.readString(target.resolve("class-path")));
    command.addAll(List.of("io.gatling.app.Gatling", "-rf", home.resolve("results").toString()));
    command.addAll(List.of("-s", "dev.forebay.it.gatling.OrdersSimulation"));
    Path output = home.resolve("output");
    Process gatling =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(gatling.waitFor(PATIENCE_S, TimeUnit.SECONDS)).as("Gatling ends").isTrue();
      assertThat(gatling.exitValue()).as(Files.readString(output)).isZero();
    } finally {
      gatling.destroyForcibly();
    }
    return Files.readString(output);
  }
}
