package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.child.PeerLibraries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Starts {@link FakeChild} with one behaviour. */
record FakeLauncher(String behaviour) implements Launcher {

  @Override
  public List<Path> libraries(Peer peer, Path extractInto) throws IOException {
    return PeerLibraries.of(Peer.LOG4J2, extractInto).classPath();
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
