package dev.forebay.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Mount;
import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.container.Engine;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Servers;
import dev.forebay.it.support.Tiered;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A broker that runs in a container, and is killed with it. */
@Tag("nightly")
class BrokerContainerIT {

  @AutoClose private final Places places = Places.create();

  @Test
  void aContainerKilledUnderLoadCostsNothing() throws Exception {
    try (AutoCloseable mounted = this::unmount;
        Engine engine = Engine.start(places)) {
      assertThat(mounted).isNotNull();
      Broker broker = Broker.in(places.directory("broker"));
      DockerClient client = engine.client();
      String id =
          client
              .createContainerCmd(engine.image)
              .withCmd(broker.command())
              .withHostConfig(new HostConfig().withNetworkMode("host").withMounts(mounts()))
              .exec()
              .getId();
      client.startContainerCmd(id).exec();
      Topic topic = new Topic(broker.address(), "container");
      topic.create(); // waits until it answers
      Oracle oracle;
      try (Tiered tiered = new Applications(places, broker.address(), topic.name(), "").here();
          Load load = Load.on(tiered)) {
        load.awaitMore(300);
        client.killContainerCmd(id).exec();
        Await.until(
            "it is dead",
            () ->
                Boolean.FALSE.equals(
                    client.inspectContainerCmd(id).exec().getState().getRunning()));
        load.requireGoingOn();
        client.startContainerCmd(id).exec();
        load.awaitMore(300).stop();
        tiered.flush();
        assertThat(tiered.snapshot().dropped()).isZero();
        oracle = load.oracle().complete(0);
      }
      Committed.of(topic).requireSound(oracle);
      client.killContainerCmd(id).exec();
    }
  }

  /** What an engine leaves behind a container that has our network. */
  private void unmount() throws IOException {
    Path left = places.root().resolve("engine/exec/netns/default");
    if (Files.exists(left)) {
      Command.run("umount", left.toString());
    }
  }

  private List<Mount> mounts() throws Exception {
    List<Mount> mounts = new ArrayList<>(Engine.thisMachine());
    mounts.add(Engine.mount(places.root(), places.root()));
    TreeSet<Path> libraries = new TreeSet<>(List.of(Servers.classes("kafka")));
    for (String jar : Servers.libraries("kafka").split(File.pathSeparator, -1)) {
      libraries.add(Path.of(jar));
    }
    libraries.forEach(path -> mounts.add(Engine.mount(path, path).withReadOnly(true)));
    return mounts;
  }
}
