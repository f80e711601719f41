package dev.forebay.it.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import javax.management.remote.JMXConnector;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Kafka broker and a ZooKeeper server with the agent, whose log disk freezes. */
@Tag("nightly")
class ServersIT {

  @AutoClose private final Places places = Places.create();
  private final Truth truth = new Truth(places.spool().resolve("truth"));

  @Test
  void aFrozenLogDiskStopsNoCollectionOfKafka() throws Exception {
    String settings =
        """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:%2$d
        listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
        controller.listener.names=CONTROLLER
        listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
        log.dirs=%3$s
        offsets.topic.replication.factor=1
        log.cleaner.dedupe.buffer.size=2097152
        """
            .formatted(freePort(), freePort(), places.root().resolve("data"));
    String file =
        Files.writeString(places.root().resolve("server.properties"), settings).toString();
    String classPath = AgentJar.libraries("kafka");
    String[] format = {"format", "-t", "Zm9yZWJheS1pdC0tLS0tLQ", "-c", file}; // any 16 bytes
    try (Program formatted =
        Program.start(
            places.directory("format"), List.of(), classPath, "kafka.tools.StorageTool", format)) {
      assertThat(formatted.end()).as(formatted.output()).isZero();
    }

    requireCollections("Kafka Server started", List.of(), classPath, "kafka.Kafka", file);
  }

  @Test
  void aFrozenLogDiskStopsNoCollectionOfZooKeeper() throws Exception {
    requireCollections(
        "binding to port",
        List.of("-Dzookeeper.admin.enableServer=false"), // a web server, in another artifact
        AgentJar.libraries("zookeeper"),
        "org.apache.zookeeper.server.ZooKeeperServerMain",
        String.valueOf(freePort()),
        places.root().resolve("data").toString());
  }

  /** One that waited for the log would not end before the disk is thawed. */
  private void requireCollections(
      String up, List<String> options, String classPath, String main, String... arguments)
      throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      Path log = disk.at().resolve("gc.log");
      List<String> all = new ArrayList<>(options);
      all.addAll(List.of("-Xmx160m", "-XX:+UseG1GC", truth.option()));
      all.add(AgentJar.option(AgentJar.arguments(log, places)));
      try (Program server =
          Program.start(places.directory("server"), all, classPath, main, arguments)) {
        server.awaitSaid(up);
        Await.until("the log is begun", () -> !LogFiles.of(log).lines().isEmpty());
        try (JMXConnector beans = server.connect()) {
          MemoryMXBean memory =
              ManagementFactory.getPlatformMXBean(
                  beans.getMBeanServerConnection(), MemoryMXBean.class);
          disk.freeze();
          for (int collection = 0; collection < 5; collection++) {
            int before = truth.lines().size();
            Thread collecting = new Thread(memory::gc);
            collecting.start();
            Await.end(collecting);
            assertThat(truth.lines()).hasSizeGreaterThan(before);
          }
          disk.thaw();
        }
        assertThat(server.terminate()).as(server.output()).isEqualTo(Program.TERMINATED);
        assertThat(server.output()).doesNotContain("forebay-agent:");
      }
      truth.requireCarried(LogFiles.of(log).lines());
    }
  }

  /** None that the kernel gives to the other end of a connection before the server has it. */
  private static int freePort() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(10_000, 30_000);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // of somebody else
      }
    }
  }
}
