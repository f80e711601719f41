package dev.forebay.benchmarks.lab.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What makes the loop device under a neighbour slow: a fast disk takes all that both write, and
 * nobody waits. Both limits belong to that one loop device; no other device and no setting of the
 * system is touched, and they are taken back before the device is given back ({@code keeper.sh}).
 */
final class SlowDisk {

  /** What it takes in a second: the pace of a small volume at a cloud provider. */
  static final long BYTES_PER_SECOND = 100_000_000;

  /**
   * What may wait to be written to it before writers have to wait. By default that is a fifth of
   * the memory, which no run of a few seconds fills.
   */
  static final long DIRTY_BYTES = 32L << 20;

  private static final Path THROTTLE =
      Path.of("/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device");

  private static final Path DEVICES = Path.of("/sys/class/bdi");

  private SlowDisk() {}

  /** Which limits this kernel allows, in words. */
  static String description() {
    String rate =
        Files.isWritable(THROTTLE)
            ? "takes " + BYTES_PER_SECOND / 1_000_000 + " MB/s"
            : "is as fast as the disk below, since this kernel offers no block throttling by"
                + " cgroup v1";
    String dirty =
        canLimitDirty()
            ? "holds back writers when " + (DIRTY_BYTES >> 20) + " MiB wait to be written to it"
            : "has no dirty limit of its own, which needs Linux 6.2";
    return rate + " and " + dirty;
  }

  private static boolean canLimitDirty() {
    try (Stream<Path> devices = Files.list(DEVICES)) {
      return devices.anyMatch(device -> Files.isWritable(device.resolve("max_bytes")));
    } catch (IOException e) {
      return false;
    }
  }
}
