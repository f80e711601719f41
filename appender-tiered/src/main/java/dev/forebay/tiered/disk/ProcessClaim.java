package dev.forebay.tiered.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The exclusive use of a file within this process, whichever class loader asks. The JVM knows the
 * locks of all its class loaders, so a claim is a shared lock on one byte, chosen by the file's
 * directory and name, of a file that always exists and is of this process only. A file system may
 * give a directory the number of one that was removed, so the random part of a spool's name counts
 * too. Thread-safe.
 */
public final class ProcessClaim {
  private static final Path OF_PROCESS = Path.of("/proc/self/status");

  /** The file for a process without one: shared locks, unnoticed by other processes. */
  private static final String OF_JAVA = "release";

  // Basis of the FNV-1a hash.
  private static final long BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  /** Never closed, which would end all claims. */
  private static @Nullable FileChannel claims;

  /** Claims on systems that refuse locks: unknown to other class loaders. Guarded by the class. */
  private static final Set<Long> UNLOCKED = new HashSet<>();

  private ProcessClaim() {}

  /** Claims a file, which need not exist, until this is closed. Null if it is claimed. */
  public static @Nullable AutoCloseable tryTake(Disk disk, Path file) throws IOException {
    Path directory = file.resolveSibling("");
    FileInfo info = disk.stat(directory);
    if (info == null) {
      throw new NoSuchFileException(directory.toString());
    }
    String of = String.valueOf(directory.getFileName());
    String name =
        (info.key().isEmpty() ? directory : info.key())
            + of.substring(Math.max(0, of.lastIndexOf('-')))
            + "/"
            + file.getFileName();
    long hash = BASIS;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * PRIME;
    }
    return tryTake(hash >>> 2);
  }

  private static synchronized @Nullable AutoCloseable tryTake(long place) {
    boolean interrupted = Thread.interrupted(); // it would close the channel
    try {
      return UNLOCKED.contains(place) ? null : claims().tryLock(place, 1, true);
    } catch (OverlappingFileLockException e) {
      return null;
    } catch (IOException e) { // perhaps a seccomp profile; the spool's own lock decides
      UNLOCKED.add(place);
      return () -> release(place);
    } finally {
      NioFile.restore(interrupted);
    }
  }

  private static synchronized void release(long place) {
    UNLOCKED.remove(place);
  }

  private static FileChannel claims() throws IOException {
    FileChannel known = claims;
    if (known == null) {
      boolean isLinux = Files.exists(OF_PROCESS);
      Path file = isLinux ? OF_PROCESS : Path.of(System.getProperty("java.home"), OF_JAVA);
      known = FileChannel.open(file, StandardOpenOption.READ);
      claims = known;
    }
    return known;
  }
}
