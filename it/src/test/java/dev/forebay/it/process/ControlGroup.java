package dev.forebay.it.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.it.support.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/** A control group with one limit, of either version. Needs root. */
final class ControlGroup implements AutoCloseable {

  private static final Path ROOT = Path.of("/sys/fs/cgroup");

  private final Path directory;

  private ControlGroup(Path directory) {
    this.directory = directory;
  }

  /** One with a memory limit; skips the test where there can be none. */
  static ControlGroup ofMemory(long bytes) throws IOException {
    return limited("memory", "memory.limit_in_bytes", "memory.max", bytes);
  }

  private static ControlGroup limited(String controller, String v1Name, String v2Name, long limit)
      throws IOException {
    Needs.root("making a control group");
    boolean v1 = Files.exists(ROOT.resolve(controller).resolve("cgroup.procs"));
    Path directory =
        (v1 ? ROOT.resolve(controller) : ROOT)
            .resolve("forebay-it-" + Long.toHexString(ThreadLocalRandom.current().nextLong()));
    try {
      Files.createDirectory(directory);
    } catch (IOException e) {
      assumeTrue(false, "no control group: mount /sys/fs/cgroup for writing (" + e + ")");
    }
    Path file = directory.resolve(v1 ? v1Name : v2Name);
    if (!Files.exists(file)) {
      Files.delete(directory);
      assumeTrue(
          false, "no " + controller + " controller: delegate it to control groups made in " + ROOT);
    }
    Files.writeString(file, String.valueOf(limit));
    return new ControlGroup(directory);
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
