package dev.forebay.it.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.it.support.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/** A control group with a memory limit, of either version. Needs root. */
final class MemoryGroup implements AutoCloseable {

  private static final Path V1 = Path.of("/sys/fs/cgroup/memory");
  private static final Path V2 = Path.of("/sys/fs/cgroup");

  private final Path directory;

  private MemoryGroup(Path directory) {
    this.directory = directory;
  }

  /** One with this limit; skips the test where there can be none. */
  static MemoryGroup limitedTo(long bytes) throws IOException {
    Needs.root("making a control group");
    boolean v1 = Files.exists(V1.resolve("memory.limit_in_bytes"));
    Path directory =
        (v1 ? V1 : V2)
            .resolve("forebay-it-" + Long.toHexString(ThreadLocalRandom.current().nextLong()));
    try {
      Files.createDirectory(directory);
    } catch (IOException e) {
      assumeTrue(false, "no control group: mount /sys/fs/cgroup for writing (" + e + ")");
    }
    Path limit = directory.resolve(v1 ? "memory.limit_in_bytes" : "memory.max");
    if (!Files.exists(limit)) {
      Files.delete(directory);
      assumeTrue(
          false, "no memory controller: delegate it to control groups made in /sys/fs/cgroup");
    }
    Files.writeString(limit, String.valueOf(bytes));
    return new MemoryGroup(directory);
  }

  /** A command that runs another one in this group. */
  String[] around() {
    String enter = "echo $$ > " + directory.resolve("cgroup.procs") + " && exec \"$@\"";
    return new String[] {"sh", "-c", enter, "sh"};
  }

  /** When no process is in it any more. */
  @Override
  public void close() {
    Await.until("group is empty", () -> directory.toFile().delete());
  }
}
