package dev.forebay.it.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import javax.management.remote.JMXConnector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A Kafka broker and a ZooKeeper server whose log disk freezes while clients use them: with the
 * agent, beside the same server with {@code -Xlog:…:file=} on that disk.
 */
@Tag("nightly")
class ServersIT {

  private static final Duration FREEZE = Duration.ofSeconds(2);

  /** What one server did while its disk was frozen. */
  private record Outcome(long safepoints, long longestNs, long over250, long clientNs) {

    void record(String title) throws IOException {
      CallTimes.record(
          "%s: %d safepoints, %d over 250 ms, client %d ms, longest safepoint"
              .formatted(title, safepoints, over250, clientNs / 1_000_000),
          longestNs);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFrozenLogDiskStopsNoServerWithTheAgent(Server server) throws Exception {
    Outcome plain = run(server, false);
    Outcome agent = run(server, true);
    plain.record(server + ", -Xlog to a frozen disk");
    agent.record(server + ", agent, frozen disk");
    assertThat(plain.longestNs)
        .as("a server that waits for its log: otherwise this shows nothing")
        .isGreaterThan(FREEZE.toNanos() * 8 / 10);
    assertThat(agent.longestNs).isLessThan(plain.longestNs / 4);
  }

  private Outcome run(Server server, boolean withAgent) throws Exception {
    try (Places places = Places.create();
        Mounted disk = Mounted.disk(places)) {
      Path log = disk.at().resolve("gc.log");
      Truth truth = new Truth(places.spool().resolve("truth"));
      String logging =
          withAgent
              ? AgentJar.option(AgentJar.arguments(log, places))
              : "-Xlog:" + Truth.WHAT + ":file=" + log + ":" + Truth.DECORATORS;
      int port = Server.freePort();
      Outcome outcome;
      try (Program running =
              server.launch(
                  places, port, List.of("-Xmx160m", "-XX:+UseG1GC", truth.option(), logging));
          Program client = server.client(places, port)) {
        client.awaitSaid("up", running);
        Await.until("the log is begun: " + running.output(), () -> !lines(log).isEmpty());
        outcome = freeze(running, client, disk, truth);
        assertThat(running.terminate()).as(running.output()).isEqualTo(Program.TERMINATED);
        assertThat(running.output()).doesNotContain("forebay-agent");
      }
      truth.requireCarried(lines(log));
      return outcome;
    }
  }

  private static List<String> lines(Path log) throws IOException {
    return LogFiles.of(log).lines();
  }

  private static Outcome freeze(Program running, Program client, Mounted disk, Truth truth)
      throws Exception {
    int before = truth.safepointsNs().size();
    try (JMXConnector beans = running.connect()) {
      MemoryMXBean memory =
          ManagementFactory.getPlatformMXBean(beans.getMBeanServerConnection(), MemoryMXBean.class);
      disk.freeze();
      int linesBefore = truth.lines().size();
      Thread collecting = new Thread(memory::gc); // as it would soon by itself
      collecting.start();
      Await.until("the JVM logs", () -> truth.lines().size() > linesBefore);
      Await.pass(FREEZE);
      disk.thaw();
      collecting.join();
    }
    Client seen = Client.end(client);
    List<Long> safepoints = truth.safepointsNs();
    List<Long> frozen = safepoints.subList(before, safepoints.size());
    return new Outcome(
        frozen.size(),
        Collections.max(frozen),
        frozen.stream().filter(ns -> ns > 250_000_000).count(),
        seen.longestNs());
  }
}
