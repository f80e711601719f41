package dev.forebay.it.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/** A control group with one limit, of either version. Needs root. */
public final class ControlGroup implements AutoCloseable {

  private static final Path ROOT = Path.of("/sys/fs/cgroup");

  private final Path directory;

  private ControlGroup(Path directory) {
    this.directory = directory;
  }

  /** One with a memory limit; skips the test where there can be none. */
  public static ControlGroup ofMemory(long bytes) throws IOException {
    return of("memory", "memory.limit_in_bytes", "memory.max", String.valueOf(bytes));
  }

  /** One that writes so much in a second to a device, {@code 7:0} for example; skips as well. */
  public static ControlGroup ofWrites(String device, long bytes) throws IOException {
    boolean isFirst = isFirst("blkio");
    return of(
        isFirst ? "blkio" : "io",
        "blkio.throttle.write_bps_device",
        "io.max",
        device + (isFirst ? " " : " wbps=") + bytes);
  }

  private static boolean isFirst(String controller) {
    return Files.exists(ROOT.resolve(controller).resolve("cgroup.procs"));
  }

  private static ControlGroup of(String controller, String first, String second, String limit)
      throws IOException {
    Needs.root("making a control group");
    boolean isFirst = isFirst(controller);
    String name = "forebay-it-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
    Path directory = (isFirst ? ROOT.resolve(controller) : ROOT).resolve(name);
    try {
      if (!isFirst) {
        Path control = ROOT.resolve("cgroup.subtree_control");
        Files.writeString(control, "+" + controller, StandardOpenOption.WRITE);
      }
      Files.createDirectory(directory);
    } catch (IOException e) {
      assumeTrue(false, "no control group: mount /sys/fs/cgroup for writing (" + e + ")");
    }
    Path file = directory.resolve(isFirst ? first : second);
    if (!Files.exists(file)) {
      Files.delete(directory);
      assumeTrue(
          false, "no " + controller + " controller: delegate it to control groups in " + ROOT);
    }
    Files.writeString(file, limit);
    return new ControlGroup(directory);
  }

  /** A command that runs another one in this group. */
  public String[] around() {
    String enter = "echo $$ > " + directory.resolve("cgroup.procs") + " && exec \"$@\"";
    return new String[] {"sh", "-c", enter, "sh"};
  }

  /** When no process is in it any more. */
  @Override
  public void close() {
    Await.until("group is empty", () -> directory.toFile().delete());
  }
}
