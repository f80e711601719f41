package dev.forebay.it.disk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Command;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Needs;
import dev.forebay.it.support.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An ext4 whose power can be cut: from one moment on nothing reaches the disk any more, neither
 * pages that wait to be written nor the journal's open transaction. Needs root and perl.
 */
final class PowerCut implements AutoCloseable {

  /** EXT4_IOC_SHUTDOWN without a flush of the journal. */
  private static final String CUT =
      "my $how = pack('L', 2); open(my $d, '<', $ARGV[0]) or die $!;"
          + " defined(ioctl($d, 0x8004587d, $how)) or die $!";

  private final Path image;
  private final Path at;
  private boolean mounted;

  private PowerCut(Path image, Path at) {
    this.image = image;
    this.at = at;
  }

  /** A new, empty file system; skips the test where it cannot be made or cut. */
  static PowerCut disk(Places places, String size) throws IOException {
    Needs.root("mounting a disk to cut its power");
    assumeTrue(Command.exists("perl"), "no perl: install perl (cuts the power by an ioctl)");
    assumeTrue(Command.exists("mkfs.ext4"), "no mkfs.ext4: install e2fsprogs");
    PowerCut disk = new PowerCut(places.root().resolve("cut.img"), places.directory("cut"));
    Command.run("truncate", "-s", size, disk.image.toString());
    Command.run("mkfs.ext4", "-qF", disk.image.toString());
    assumeTrue(disk.mount() == 0, Mounted.NO_LOOP_DEVICE);
    return disk;
  }

  Path at() {
    return at;
  }

  private int mount() throws IOException {
    int code = Command.exitCode("mount", "-o", "loop", image.toString(), at.toString());
    mounted = code == 0;
    return code;
  }

  /** Whoever writes or forces from now on gets an error. */
  void cut() throws IOException {
    Command.run("perl", "-e", CUT, at.toString());
  }

  /** Switches it on again: only what was on the disk is there. No process may use it. */
  void restore() throws Exception {
    Mounted.unmount(at, image.toString());
    mounted = false;
    if (mount() != 0) {
      throw new IOException("cannot mount " + image + " after the power cut");
    }
  }

  /** What the test itself has changed is to stay. */
  void sync() throws IOException {
    Command.run("sync", "-f", at.toString());
  }

  @Override
  public void close() throws IOException {
    if (mounted && Command.exitCode("umount", at.toString()) != 0) {
      Command.run("umount", "-l", at.toString());
    }
    Files.deleteIfExists(image);
  }
}
