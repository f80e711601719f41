package dev.forebay.benchmarks.lab.child;

import dev.forebay.agent.Voice;
import dev.forebay.tiered.apart.ShipService;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Main class of the process that ships for a measured one: until its standard input ends. */
public final class ShipChild implements Voice {

  private ShipChild() {}

  /** Ships from the directory that is its only argument. */
  public static void main(String[] args) throws IOException {
    try (ShipService service =
        new ShipService(NioDisk.current(), List.of(Path.of(args[0])), new ShipChild())) {
      service.start();
      while (System.in.read() >= 0) {
        // nothing is said to it
      }
    }
  }

  @Override
  public void warn(String text) {
    System.err.println(text);
  }
}
