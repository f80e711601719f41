package dev.forebay.tiered.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Distinguishes file systems in memory from those on a disk. */
public final class MemoryFileSystem {

  private static final Set<String> TYPES = Set.of("tmpfs", "ramfs");

  private MemoryFileSystem() {}

  /** Whether {@code path} exists and its content is in memory only, so that writes never stall. */
  public static boolean holds(Path path) {
    try {
      return TYPES.contains(Files.getFileStore(path).type());
    } catch (IOException | SecurityException e) {
      return false;
    }
  }

  /** Size of the file system that holds {@code path}; {@code Long.MAX_VALUE} if unknown. */
  public static long sizeBytes(Path path) {
    try {
      long bytes = path.toFile().getTotalSpace(); // reads no list of mounts, unlike a file store
      return bytes > 0 ? bytes : Long.MAX_VALUE; // 0 means a tmpfs without a limit
    } catch (SecurityException e) {
      return Long.MAX_VALUE;
    }
  }
}
