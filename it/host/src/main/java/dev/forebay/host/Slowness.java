package dev.forebay.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Makes a loop device slow: a fast disk takes all that a log and its neighbours write, and nobody
 * waits. Both limits belong to that one device; no other device and no setting of the system is
 * touched, and they are taken back before the device is given back ({@code keeper.sh}).
 *
 * @param bytesPerSecond what the device takes in a second; 0 is no limit
 * @param dirtyBytes what may wait to be written to it before writers have to wait; 0 is no limit
 */
public record Slowness(long bytesPerSecond, long dirtyBytes) {

  /** As fast as the disk below. */
  public static final Slowness NONE = new Slowness(0, 0);

  /**
   * The pace of a small volume at a cloud provider. Without the second limit a fifth of the memory
   * may wait to be written, which no run of a few seconds fills.
   */
  public static final Slowness SMALL_VOLUME = new Slowness(100_000_000, 32L << 20);

  /**
   * A disk that two who write without pause keep at its second limit, so that whoever writes a line
   * waits for the disk, too. With 32 MiB instead of 8, no write of a line was seen to take a
   * quarter of a second.
   */
  public static final Slowness SATURATED = new Slowness(20_000_000, 8L << 20);

  private static final Path THROTTLE =
      Path.of("/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device");

  private static final Path DEVICES = Path.of("/sys/class/bdi");

  /** Which of the limits this kernel allows, in words. */
  public String description() {
    String rate =
        Files.isWritable(THROTTLE)
            ? "takes " + bytesPerSecond / 1_000_000 + " MB/s"
            : "is as fast as the disk below, since this kernel offers no block throttling by"
                + " cgroup v1";
    String dirty =
        canLimitDirty()
            ? "holds back writers when " + (dirtyBytes >> 20) + " MiB wait to be written to it"
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
