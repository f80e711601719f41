package dev.forebay.it.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * ZooKeeper logs through Logback: its requests while the disk of that log freezes, with Logback's
 * appender and with ours in its {@code logback.xml}.
 */
@Tag("nightly")
class ZooKeeperLogIT {

  private static final Duration FREEZE = Duration.ofSeconds(2);

  /** ZooKeeper says this of each read at DEBUG. */
  private static final String OF_A_READ = "Processing request:: .* type:getData .*";

  private static final String ROLLING =
      """
      <appender name="LOG" class="ch.qos.logback.core.rolling.RollingFileAppender">
        <file>%1$s</file>
        <rollingPolicy class="ch.qos.logback.core.rolling.TimeBasedRollingPolicy">
          <fileNamePattern>%1$s.%%d</fileNamePattern>
        </rollingPolicy>
      """;

  private static final String TIERED =
      """
      <appender name="LOG" class="dev.forebay.tiered.TieredAppender">
        <file>%1$s</file>
        <spoolDirectory>%2$s</spoolDirectory>
      """;

  private static final String REST =
      """
        <encoder><pattern>%d{ISO8601} [myid:%X{myid}] - %-5p [%t] - %m%n</pattern></encoder>
      </appender>
      <logger name="org.apache.zookeeper" level="DEBUG"/>
      <root level="INFO"><appender-ref ref="LOG"/></root>
      """;

  @Test
  void aFrozenLogDiskStopsNoRequestWithTieredAppender() throws Exception {
    Client rolling = run(ROLLING);
    Client tiered = run(TIERED);
    CallTimes.record(
        "longest read of ZooKeeper, RollingFileAppender, frozen disk", rolling.longestNs());
    CallTimes.record("longest read of ZooKeeper, TieredAppender, frozen disk", tiered.longestNs());
    assertThat(rolling.longestNs())
        .as("a request that waits for its log: otherwise this shows nothing")
        .isGreaterThan(FREEZE.toNanos() * 8 / 10);
    assertThat(tiered.longestNs()).isLessThan(rolling.longestNs() / 4);
  }

  private static Client run(String appender) throws Exception {
    try (Places places = Places.create();
        Mounted disk = Mounted.disk(places, "400m")) {
      Path log = disk.at().resolve("zookeeper.log");
      String xml = appender.formatted(log, places.spool()) + REST;
      Path logback =
          Files.writeString(
              places.root().resolve("logback.xml"), "<configuration>" + xml + "</configuration>");
      int port = Server.freePort();
      try (Program server =
              Server.ZOOKEEPER.launch(
                  places,
                  port,
                  classPath(),
                  List.of("-Xmx160m", "-Dlogback.configurationFile=" + logback));
          Program client = Server.ZOOKEEPER.client(places, port)) {
        client.awaitSaid("up", server);
        disk.freeze();
        Await.pass(FREEZE);
        disk.thaw();
        assertThat(server.isAlive()).as(server.output()).isTrue();
        Client seen = Client.end(client);
        assertThat(server.terminate()).as(server.output()).isEqualTo(Program.TERMINATED);
        assertThat(LogFiles.of(log).lines().stream().filter(line -> line.matches(".*" + OF_A_READ)))
            .hasSize((int) seen.read());
        return seen;
      }
    }
  }

  /** ZooKeeper's libraries, with the Logback of this build and our appenders. */
  private static String classPath() throws IOException {
    String ours =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Stream<String> replaced =
        Stream.of(ours.split(File.pathSeparator, -1))
            .filter(path -> path.matches(".*/(appender-|logback-|slf4j-api-)[^/]*"));
    Stream<String> theirs =
        Stream.of(Server.ZOOKEEPER.classPath().split(File.pathSeparator, -1))
            .filter(path -> !path.matches(".*/(logback-|slf4j-api-)[^/]*"));
    return Stream.concat(replaced, theirs).collect(Collectors.joining(File.pathSeparator));
  }
}
