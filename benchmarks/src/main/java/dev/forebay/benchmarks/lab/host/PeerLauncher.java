package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.child.Child;
import dev.forebay.benchmarks.lab.child.PeerLibraries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts {@link Child} with the libraries and options of each peer. */
final class PeerLauncher implements Launcher {

  @Override
  public List<Path> libraries(Peer peer, Path extractInto) throws IOException {
    return PeerLibraries.of(peer, extractInto).classPath();
  }

  @Override
  public List<String> command(Peer peer, Path extractInto) throws IOException {
    return command(peer, extractInto, Child.class);
  }

  /** The same for another main class. */
  List<String> command(Peer peer, Path extractInto, Class<?> main) throws IOException {
    PeerLibraries.Launch launch = PeerLibraries.of(peer, extractInto);
    List<String> command =
        new ArrayList<>(JavaCommand.measured(launch.classPath(), launch.jvmOptions()));
    command.add(main.getName());
    return command;
  }
}
