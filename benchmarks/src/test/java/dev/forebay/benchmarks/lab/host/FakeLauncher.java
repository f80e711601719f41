package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Peer;
import java.nio.file.Path;
import java.util.List;

/** Starts {@link FakeChild} with one behaviour. */
record FakeLauncher(String behaviour) implements Launcher {

  @Override
  public List<Path> libraries(Peer peer, Path extractInto) {
    return List.of(Path.of("log4j-core-2.26.1.jar"), Path.of("chronicle-queue-5.25ea16.jar"));
  }

  @Override
  public List<String> command(Peer peer, Path extractInto) {
    return List.of(
        JavaCommand.java(),
        "-Xmx32m",
        "-XX:TieredStopAtLevel=1",
        "-cp",
        JavaCommand.ownClassPath(),
        FakeChild.class.getName(),
        behaviour);
  }
}
