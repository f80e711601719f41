package dev.forebay.it.demo;

import dev.forebay.host.FileTree;
import dev.forebay.host.LoopDisk;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The directories of one run: a work directory under {@code target} and a spool directory on tmpfs.
 * Their names depend on the work directory alone, so that the next run finds what a killed one
 * left.
 */
final class Workspace implements AutoCloseable {

  private static final Path TMPFS = Path.of("/dev/shm");
  private static final long LOCK_LIMIT_MS = 20_000;
  private static final long LOCK_POLL_MS = 200;

  private final Path directory;
  private final Path spool;
  private final FileChannel lockFile;

  private Workspace(Path directory, Path spool, FileChannel lockFile) {
    this.directory = directory;
    this.spool = spool;
    this.lockFile = lockFile;
  }

  /** Takes the work directory for this run alone and empties it. */
  static Workspace open(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    Files.createDirectories(absolute);
    FileChannel lockFile =
        FileChannel.open(
            absolute.resolveSibling(absolute.getFileName() + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    Workspace workspace = new Workspace(absolute, spoolOf(absolute), lockFile);
    try {
      workspace.lock();
      if (LoopDisk.removeLeftover(workspace.directory)) {
        System.out.println("Removed the disk of an earlier run that was killed.");
      }
      workspace.empty();
      Files.createDirectories(workspace.directory);
      workspace.createSpool();
      return workspace;
    } catch (IOException | RuntimeException e) {
      lockFile.close();
      throw e;
    }
  }

  private static Path spoolOf(Path directory) throws IOException {
    Path memory =
        Files.isWritable(TMPFS) ? TMPFS : Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    Object owner = Files.getOwner(directory);
    return memory.resolve(
        "forebay-demo-" + Integer.toHexString((directory + " " + owner).hashCode()));
  }

  /** The lock goes with the process, however it ends, so a killed run never blocks the next. */
  private void lock() throws IOException {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOCK_LIMIT_MS);
    @Nullable FileLock lock = lockFile.tryLock();
    while (lock == null) {
      if (System.nanoTime() - deadlineNs >= 0) {
        throw new DemoFailure("Another demo has been running in " + directory + " for too long");
      }
      Ticks.sleep(LOCK_POLL_MS);
      lock = lockFile.tryLock();
    }
  }

  private void createSpool() throws IOException {
    if (Files.getFileStore(directory).supportsFileAttributeView("posix")) {
      Files.createDirectory(
          spool,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } else {
      Files.createDirectory(spool);
    }
  }

  Path directory() {
    return directory;
  }

  Path spool() {
    return spool;
  }

  private void empty() throws IOException {
    FileTree.delete(directory);
    if (Files.exists(spool, LinkOption.NOFOLLOW_LINKS)
        && !Files.getOwner(spool, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(lockedPath()))) {
      throw new DemoFailure(spool + " belongs to another user");
    }
    FileTree.delete(spool);
  }

  private Path lockedPath() {
    return directory.resolveSibling(directory.getFileName() + ".lock");
  }

  @Override
  public void close() throws IOException {
    try {
      empty();
    } finally {
      lockFile.close();
    }
  }
}
