package dev.forebay.tiered.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file operations that the pipeline uses.
 *
 * <p>Stateless and thread-safe. Symbolic links are never followed in the last element of a path.
 * Directories are created with mode 0700 if the file system has modes.
 */
public interface Disk {

  /** How {@link #open} treats the file. */
  enum Mode {
    READ,
    /** A new file with mode 0600, for reading and writing; fails if the name exists. */
    CREATE_PRIVATE,
    UPDATE,
    /** As UPDATE; a thread that is interrupted while it writes does not close it. */
    UPDATE_BY_CALLS,
    /**
     * Existing or new (mode by the process's umask), for reading and appending: the log itself.
     * Bytes always go to the end of the file, whatever the position given, even if another process
     * has moved the end.
     */
    LOG
  }

  /**
   * A big-endian buffer outside the heap, which files use without copying; in the heap, which has
   * its own limit, if direct memory is exhausted.
   */
  static ByteBuffer buffer(int bytes) {
    try {
      return ByteBuffer.allocateDirect(bytes);
    } catch (OutOfMemoryError e) { // other code in this process uses all direct memory
      return ByteBuffer.allocate(bytes);
    }
  }

  /** Opens a file. Throws if the last path element is a symbolic link. */
  DiskFile open(Path file, Mode mode) throws IOException;

  /** Creates one directory, mode 0700; throws {@code FileAlreadyExistsException} if it exists. */
  void createDirectory(Path directory) throws IOException;

  /** The entries of a directory, in no particular order. */
  List<Path> list(Path directory) throws IOException;

  /** Attributes of a path, of the link itself if it is one; null if nothing exists there. */
  @Nullable FileInfo stat(Path path) throws IOException;

  /** Whether nothing can be found at a path: a file that we may not look at counts as removed. */
  default boolean isGone(Path path) throws IOException {
    try {
      return stat(path) == null;
    } catch (FileSystemException e) { // no right, a dead mount, a file in place of a directory
      return true;
    }
  }

  /**
   * Whether a file that this process has open was removed while {@code path} was its only name, so
   * that its content can no longer be read; true if unknown.
   */
  boolean isRemoved(Path path);

  /** Renames atomically within one file system, replacing a file of the new name. */
  void move(Path from, Path to) throws IOException;

  /**
   * Gives a file a second name on the same file system; throws {@code FileAlreadyExistsException}
   * if the name exists, {@code UnsupportedOperationException} if hard links are not supported.
   */
  void link(Path name, Path existing) throws IOException;

  /** Removes a file or an empty directory; does nothing if it does not exist. */
  void delete(Path path) throws IOException;

  /**
   * Has the JVM remove a file or an empty directory after its last shutdown hook, before those that
   * were given to it earlier. If the process is killed, it stays.
   */
  default void deleteAtExit(Path path) {
    path.toFile().deleteOnExit();
  }

  /**
   * Sets the permissions of a file of this user; follows no link. False if files have none there.
   */
  default boolean setPermissions(Path file, Set<PosixFilePermission> permissions)
      throws IOException {
    return false;
  }

  /**
   * Sets an attribute of an entry of a directory to what it is, which those notice who watch the
   * directory; follows no link. Does nothing if the system cannot.
   */
  default void touch(Path entry) throws IOException {}

  /** Makes the names in a directory durable; does nothing if the system cannot. */
  void forceDirectory(Path directory) throws IOException;

  /**
   * Bytes this process may still write on the file system that holds {@code path}; very many if it
   * has no limit, or reports none.
   */
  long usableBytes(Path path) throws IOException;

  /** Whether {@code path} exists and its content is in memory only, so that writes never stall. */
  boolean isInMemory(Path path);

  /** How long ago the machine was started, milliseconds; very long if that is not known. */
  default long uptimeMs() {
    return Long.MAX_VALUE;
  }

  /**
   * Whether something was written longer ago than a limit. Nothing in memory is older than the
   * machine's last start, whatever the wall clock says.
   */
  default boolean isOlder(Path path, long writtenMs, long nowMs, long limitMs) {
    return nowMs - writtenMs > limitMs && (uptimeMs() > limitMs || !isInMemory(path));
  }

  /** Whether this system has file systems in memory; where it has none, a disk is what is usual. */
  default boolean hasTmpfs() {
    return true;
  }

  /** The default directory for spools. */
  default String spoolPlace() {
    return hasTmpfs() ? "/dev/shm" : System.getProperty("java.io.tmpdir", ".");
  }

  /** Whether open files, and directories with open files, can be renamed and deleted. */
  default boolean movesOpenFiles() {
    return true;
  }

  /** Whether files can be read after the end of this process. */
  default boolean outlivesProcess() {
    return true;
  }

  /** The absolute path of an existing file or directory without links in any element. */
  Path realPath(Path path) throws IOException;

  /** Numeric id of the user that owns this process's files, or -1 if unknown. */
  int userId();
}
