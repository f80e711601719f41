package dev.forebay.it.container;

import java.util.UUID;
import org.testcontainers.DockerClientFactory;

/** A named volume of Docker's, on the disk of the engine. */
final class ContainerVolume implements AutoCloseable {

  private final String name = "forebay-it-" + UUID.randomUUID();

  private ContainerVolume() {}

  static ContainerVolume create() {
    ContainerVolume volume = new ContainerVolume();
    DockerClientFactory.instance()
        .client()
        .createVolumeCmd()
        .withName(volume.name)
        .withLabels(DockerClientFactory.DEFAULT_LABELS)
        .exec();
    return volume;
  }

  String name() {
    return name;
  }

  @Override
  public void close() {
    DockerClientFactory.instance().client().removeVolumeCmd(name).exec();
  }
}
