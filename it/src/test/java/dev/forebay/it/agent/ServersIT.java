package dev.forebay.it.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.kafka.Broker;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Servers;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    Broker broker = Broker.in(places.directory("broker"));

    requireCollections(
        Broker.STARTED, List.of(), Broker.classPath(), Broker.MAIN, broker.arguments());
  }

  @Test
  void aFrozenLogDiskStopsNoCollectionOfZooKeeper() throws Exception {
    requireCollections(
        "binding to port",
        List.of("-Dzookeeper.admin.enableServer=false"), // a web server, in another artifact
        Servers.libraries("zookeeper"),
        "org.apache.zookeeper.server.ZooKeeperServerMain",
        String.valueOf(Servers.freePort()),
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
}
