package dev.forebay.it.gatling;

import dev.forebay.it.support.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Other processes on the disk of the log, which write 64 MiB and sync, over and over, as backups
 * and databases do: enough of them to leave the log less than it needs.
 */
final class GatlingNeighbour {

  private static final int PROCESSES = 4;
  private static final int NOISE_BYTES = 64 << 20;
  private static final long SEED = 42;
  private static final long END_SECONDS = 60;

  /** Its arguments: a file that says that it is to go on, what to write, and where to. */
  private static final String SCRIPT =
      "while [ -e \"$1\" ]; do dd if=\"$2\" of=\"$3\" bs=1M conv=notrunc,fsync || exit 1; done";

  private final Path going;
  private final List<Process> processes = new ArrayList<>();

  private GatlingNeighbour(Path going) {
    this.going = going;
  }

  /** What they write; not zeros, which some disks need not write. Made before it is wanted. */
  static void prepare(Places places) throws IOException {
    byte[] noise = new byte[NOISE_BYTES];
    new Random(SEED).nextBytes(noise);
    Files.write(noise(places), noise);
  }

  private static Path noise(Places places) {
    return places.root().resolve("noise");
  }

  /** Starts them. */
  static GatlingNeighbour start(Places places, Path disk) throws IOException {
    Path going = Files.createTempFile(places.root(), "going", "");
    GatlingNeighbour neighbour = new GatlingNeighbour(going);
    for (int i = 0; i < PROCESSES; i++) {
      neighbour.processes.add(
          new ProcessBuilder(
                  "sh",
                  "-c",
                  SCRIPT,
                  "neighbour",
                  going.toString(),
                  noise(places).toString(),
                  disk.resolve("neighbour-" + i).toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start());
    }
    return neighbour;
  }

  /** Ends them, and waits until the kernel has written what they wanted. */
  void end() throws IOException, InterruptedException {
    boolean went = processes.stream().allMatch(Process::isAlive);
    Files.delete(going);
    for (Process process : processes) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
    }
    for (Process process : processes) {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("a neighbour does not end");
      }
    }
    if (!went) {
      throw new IOException("a neighbour could not write");
    }
  }
}
