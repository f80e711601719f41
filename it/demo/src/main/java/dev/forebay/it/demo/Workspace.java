package dev.forebay.it.demo;

import dev.forebay.host.Await;
import dev.forebay.host.FileTree;
import dev.forebay.host.LoopDisk;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/**
 * The directories of one run: a work directory under {@code target} and a spool directory on tmpfs.
 * Their names depend on the user and the work directory alone, so that the next run finds what a
 * killed one left.
 */
record Workspace(Path directory, Path spool, FileChannel lockFile) implements AutoCloseable {

  private static final Path TMPFS = Path.of("/dev/shm");
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(20);

  /** Takes the work directory for this run alone and empties it. */
  static Workspace open(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    Files.createDirectories(absolute);
    FileChannel lockFile =
        FileChannel.open(
            absolute.resolveSibling(absolute.getFileName() + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    try {
      // It goes with the process, however that ends, so a killed run never blocks the next.
      if (!Await.within(LOCK_LIMIT, () -> lockFile.tryLock() != null)) {
        throw new DemoFailure("Another demo has been running in " + absolute + " for too long");
      }
      if (LoopDisk.removeLeftover(absolute)) {
        System.out.println("Removed the disk of an earlier run that was killed.");
      }
      Workspace workspace = new Workspace(absolute, spoolOf(absolute), lockFile);
      workspace.empty();
      Files.createDirectories(absolute);
      Files.createDirectory(
          workspace.spool,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      return workspace;
    } catch (IOException | RuntimeException e) {
      lockFile.close();
      throw e;
    }
  }

  private static Path spoolOf(Path directory) {
    Path memory =
        Files.isWritable(TMPFS) ? TMPFS : Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    String user = System.getProperty("user.name");
    return memory.resolve(
        "forebay-demo-" + Integer.toHexString((directory + " " + user).hashCode()));
  }

  /** Fails where the place of the spool belongs to another user. */
  private void empty() throws IOException {
    FileTree.delete(directory);
    FileTree.delete(spool);
  }

  @Override
  public void close() throws IOException {
    try (lockFile) {
      empty();
    }
  }
}
