package dev.forebay.it.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file system of a test's own. Needs root. */
public final class Mounted implements AutoCloseable {

  /** Why a test is skipped where no image can be mounted. */
  public static final String NO_LOOP_DEVICE =
      "no loop device: install mount, and allow loop mounts (CAP_SYS_ADMIN)";

  /** EXT4_IOC_SHUTDOWN without a flush of the journal. */
  private static final String CUT =
      "my $how = pack('L', 2); open(my $d, '<', $ARGV[0]) or die $!;"
          + " defined(ioctl($d, 0x8004587d, $how)) or die $!";

  private final Path at;
  private final String source;
  private boolean frozen;

  private Mounted(Path at, String source) {
    this.at = at;
    this.source = source;
  }

  /** An ext4 in a file, which can be frozen. */
  public static Mounted disk(Places places) throws IOException {
    return disk(places, "48m");
  }

  /** As the other, of this size. */
  public static Mounted disk(Places places, String size) throws IOException {
    return disk(places, size, "defaults");
  }

  /**
   * An ext4 in a file.
   *
   * @param options of mount
   * @param format of mkfs.ext4
   */
  public static Mounted disk(Places places, String size, String options, String... format)
      throws IOException {
    Needs.root("mounting a disk");
    Path image = places.root().resolve("disk.img");
    Command.run("truncate", "-s", size, image.toString());
    return device(places, image, "loop," + options, format);
  }

  /** As the other, on a block device or an image. */
  public static Mounted device(Places places, Path device, String options, String... format)
      throws IOException {
    Path at = places.directory("disk");
    assumeTrue(Command.exists("mkfs.ext4"), "no mkfs.ext4: install e2fsprogs");
    List<String> make = new ArrayList<>(List.of("mkfs.ext4", "-qF"));
    make.addAll(List.of(format));
    make.add(device.toString());
    Command.run(make.toArray(new String[0]));
    // Nobody shall write to what lies below while the disk is not mounted.
    Command.exitCode("chattr", "+i", at.toString());
    Mounted disk = new Mounted(at, device.toString());
    if (Command.exitCode("mount", "-o", options, disk.source, at.toString()) != 0) {
      disk.uncover();
      assumeTrue(false, NO_LOOP_DEVICE);
    }
    return disk;
  }

  /** A tmpfs of this size, {@code 1m} for example; with further mount options. */
  public static Mounted memory(Places places, String options) throws IOException {
    Needs.root("mounting a tmpfs");
    Path at = places.directory("tmpfs");
    assumeTrue(
        Command.exitCode("mount", "-t", "tmpfs", "-o", options, "forebay-it", at.toString()) == 0,
        "no tmpfs: allow mounts (CAP_SYS_ADMIN)");
    return new Mounted(at, "forebay-it");
  }

  public Path at() {
    return at;
  }

  /** The block device, {@code /dev/loop0} for example. */
  public Path device() throws IOException {
    return Path.of(Command.run("findmnt", "-no", "SOURCE", at.toString()));
  }

  /** From now on whoever writes hangs. */
  public void freeze() throws IOException {
    Command.run("fsfreeze", "-f", at.toString());
    frozen = true;
  }

  public void thaw() throws IOException {
    Command.run("fsfreeze", "-u", at.toString());
    frozen = false;
  }

  /**
   * Has the kernel find an error, for which an ext4 mounted with {@code errors=remount-ro} refuses
   * to be written. Frozen meanwhile: it discards what it was forcing, and until it refuses, some
   * milliseconds later, a force of that returns as if nothing had happened (seen on Linux 6.18).
   */
  public void findError() throws IOException {
    Path settings = Path.of("/sys/fs/ext4").resolve(device().getFileName());
    freeze();
    Files.writeString(settings.resolve("trigger_fs_error"), "test");
    thaw();
  }

  /**
   * Cuts the power: from now on nothing reaches the disk any more, neither pages that wait to be
   * written nor the journal's open transaction; whoever writes or forces gets an error. Needs perl.
   */
  public void cutPower() throws IOException {
    Command.run("perl", "-e", CUT, at.toString());
  }

  /** Brings to the disk what the test itself has changed. */
  public void sync() throws IOException {
    Command.run("sync", "-f", at.toString());
  }

  public void remount(String options) throws IOException {
    Command.run("mount", "-o", "remount," + options, at.toString());
  }

  /** Unmounts the disk, as soon as nobody has a file open, and mounts it again: caches are gone. */
  public void mountAnew() throws Exception {
    unmount(at, source);
    Command.run("mount", source, at.toString());
  }

  /**
   * Unmounts a disk for good. A mount namespace made meanwhile, by a container that starts beside
   * this test, has a mount of it too: a mount now would be of the file system as it is in memory.
   *
   * @param source the block device or the image
   */
  public static void unmount(Path at, String source) throws IOException {
    Await.until("nobody uses " + at, () -> Command.exitCode("umount", at.toString()) == 0);
    Path inUse = Path.of("/sys/fs/ext4").resolve(Path.of(source).getFileName());
    Await.until(
        "no other mount namespace has " + source,
        () -> Command.run("losetup", "-j", source).isEmpty() && !Files.exists(inUse));
  }

  @Override
  public void close() throws IOException {
    if (frozen) {
      thaw();
    }
    boolean mounted = Command.exitCode("mountpoint", "-q", at.toString()) == 0;
    if (mounted && Command.exitCode("umount", at.toString()) != 0) {
      Command.run("umount", "-l", at.toString());
    }
    uncover();
  }

  private void uncover() throws IOException {
    if (Files.exists(at)) {
      Command.exitCode("chattr", "-i", at.toString());
    }
  }
}
