package dev.forebay.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;

/** A file system of a test's own. Needs root. */
final class Mounted implements AutoCloseable {

  private final Path at;
  private boolean frozen;

  private Mounted(Path at) {
    this.at = at;
  }

  /** An ext4 in a file, which can be frozen. */
  static Mounted disk(Places places) throws IOException, InterruptedException {
    return disk(places, "48m");
  }

  /** As the other, of this size. */
  static Mounted disk(Places places, String size) throws IOException, InterruptedException {
    Shell.assumeRoot("mounting a disk to freeze it");
    Path image = places.root().resolve("disk.img");
    Path at = places.directory("disk");
    Shell.must("truncate", "-s", size, image.toString());
    Shell.must("mkfs.ext4", "-qF", image.toString());
    assumeTrue(
        Shell.run("mount", "-o", "loop", image.toString(), at.toString()) == 0,
        "no loop device to mount a disk with");
    return new Mounted(at);
  }

  /** A tmpfs of this size, {@code 1m} for example; with further mount options. */
  static Mounted memory(Places places, String options) throws IOException, InterruptedException {
    Shell.assumeRoot("mounting a tmpfs");
    Path at = places.directory("tmpfs");
    assumeTrue(
        Shell.run("mount", "-t", "tmpfs", "-o", options, "forebay-it", at.toString()) == 0,
        "a tmpfs cannot be mounted");
    return new Mounted(at);
  }

  Path at() {
    return at;
  }

  /** From now on whoever writes hangs. */
  void freeze() throws IOException, InterruptedException {
    Shell.must("fsfreeze", "-f", at.toString());
    frozen = true;
  }

  void thaw() throws IOException, InterruptedException {
    Shell.must("fsfreeze", "-u", at.toString());
    frozen = false;
  }

  void remount(String options) throws IOException, InterruptedException {
    Shell.must("mount", "-o", "remount," + options, at.toString());
  }

  @Override
  public void close() throws IOException {
    try {
      if (frozen) {
        thaw();
      }
      if (Shell.run("umount", at.toString()) != 0) {
        Shell.must("umount", "-l", at.toString());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while unmounting " + at, e);
    }
  }
}
