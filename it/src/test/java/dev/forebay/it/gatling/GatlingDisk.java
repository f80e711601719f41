package dev.forebay.it.gatling;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A loop-mounted ext4 that is no faster than a small volume: on a fast disk a neighbour disturbs
 * nobody. Both limits belong to this one loop device, and are taken back before it is given back.
 * Needs root.
 */
final class GatlingDisk implements AutoCloseable {

  private static final String SIZE = "2g";
  private static final long BYTES_PER_SECOND = 100_000_000;

  /** What may wait to be written before writers have to wait; by default a part of the memory. */
  private static final long DIRTY_BYTES = 32L << 20;

  private static final Path THROTTLE =
      Path.of("/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device");

  private final String device;
  private final String number;
  private final Path cache;
  private Mounted mounted;
  private String share = "";

  private GatlingDisk(String device) throws IOException {
    this.device = device;
    Path name = Path.of(device).getFileName();
    number = Files.readString(Path.of("/sys/block").resolve(name).resolve("dev")).strip();
    cache = Path.of("/sys/class/bdi", number);
  }

  static GatlingDisk create(Places places) throws IOException, InterruptedException {
    Shell.assumeRoot("mounting a disk");
    Path image = places.root().resolve("disk.img");
    Shell.must("truncate", "-s", SIZE, image.toString());
    // Direct, so that the page cache of the disk below does not hide how long this one takes.
    GatlingDisk disk = new GatlingDisk(attach("--direct-io=on", image));
    try {
      // Nothing is left to be initialised later: that would be written during the measurement.
      disk.mounted =
          Mounted.device(
              places,
              Path.of(disk.device),
              "noatime",
              "-m",
              "0",
              "-E",
              "lazy_itable_init=0,lazy_journal_init=0");
      disk.slowDown();
      return disk;
    } catch (IOException | InterruptedException | RuntimeException e) {
      disk.close();
      throw e;
    }
  }

  private static String attach(String option, Path image) throws InterruptedException {
    try {
      return Shell.output("losetup", "--find", "--show", option, image.toString());
    } catch (IOException e) {
      assumeTrue(false, Mounted.NO_LOOP_DEVICE + " (" + e.getMessage() + ")");
      throw new AssertionError(e);
    }
  }

  /** How slow it is here, in words. */
  String description() {
    return "ext4 on a loop device that "
        + (Files.isWritable(THROTTLE)
            ? "takes " + BYTES_PER_SECOND / 1_000_000 + " MB/s"
            : "is as fast as the disk below, for want of block throttling by cgroup v1")
        + " and "
        + (limitsDirty()
            ? "holds back writers when " + (DIRTY_BYTES >> 20) + " MiB wait to be written"
            : "has no dirty limit of its own, which needs Linux 6.2");
  }

  private boolean limitsDirty() {
    return Files.isWritable(cache.resolve("max_bytes"));
  }

  private void slowDown() throws IOException {
    if (limitsDirty()) {
      share = Files.readString(cache.resolve("max_ratio")).strip();
      Files.writeString(cache.resolve("strict_limit"), "1");
      Files.writeString(cache.resolve("max_bytes"), String.valueOf(DIRTY_BYTES));
    }
    if (Files.isWritable(THROTTLE)) {
      Files.writeString(THROTTLE, number + " " + BYTES_PER_SECOND);
    }
  }

  private void speedUp() throws IOException {
    if (Files.isWritable(THROTTLE)) {
      Files.writeString(THROTTLE, number + " 0");
    }
    if (!share.isEmpty()) {
      Files.writeString(cache.resolve("max_ratio"), share);
      Files.writeString(cache.resolve("strict_limit"), "0");
    }
  }

  Mounted mounted() {
    return mounted;
  }

  /** Writes all out that waits to be written, for which a freeze would wait. */
  void sync() throws IOException, InterruptedException {
    Shell.must("sync", "-f", mounted.at().toString());
  }

  @Override
  public void close() throws IOException {
    try {
      speedUp();
    } finally {
      try {
        if (mounted != null) {
          mounted.close();
        }
      } finally {
        detach();
      }
    }
  }

  /** Takes effect when the device is no longer used, at the latest. */
  private void detach() throws IOException {
    try {
      Shell.must("losetup", "-d", device);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
