package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Peer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Which JVM measures a peer. What it has to extract goes into the directory it is given. */
interface Launcher {

  /** Jars that a peer needs before those of the benchmarks. */
  List<Path> libraries(Peer peer, Path extractInto) throws IOException;

  /** Its command line without the arguments of the main class, whose name comes last. */
  List<String> command(Peer peer, Path extractInto) throws IOException;
}
