package dev.forebay.tiered.disk;

import dev.forebay.agent.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory limit of this process's control group, of version 1 or 2: the lowest limit of the
 * group and all enclosing groups.
 *
 * <p>Within a container, the group's directory is often the visible root, while its name is still
 * the host's. So missing directories are skipped.
 */
public final class MemoryLimit {

  private static final String V1_CONTROLLER = "memory";

  /**
   * Of version 1, then of version 2. Above the last the kernel slows the group down: it cannot take
   * back pages of a tmpfs.
   */
  private static final List<String> FILES =
      List.of("memory.limit_in_bytes", "memory.max", "memory.high");

  /** The limit may change while the process runs; many appenders may start in this time. */
  private static final long LASTS_NS = 1_000_000_000;

  private static @Nullable OptionalLong newest;

  private static long readNs;

  private MemoryLimit() {}

  /** The limit, as read at most a second ago. */
  public static synchronized OptionalLong bytes() {
    OptionalLong known = newest;
    long nowNs = NanoClock.SYSTEM.nanoTime();
    if (known == null || nowNs - readNs >= LASTS_NS) {
      known = bytes(Path.of("/sys/fs/cgroup"), Path.of("/proc/self/cgroup"));
      newest = known;
      readNs = nowNs;
    }
    return known;
  }

  /** Where the groups are mounted here, and this file names those of the process. */
  static OptionalLong bytes(Path groups, Path memberships) {
    Path v1 = groups.resolve(V1_CONTROLLER);
    long least = Math.min(limitIn(v1), limitIn(groups));
    for (String line : linesOf(memberships)) {
      String[] parts = line.split(":", 3); // number, controllers, name of the group
      if (parts.length == 3 && parts[1].isEmpty()) {
        least = Math.min(least, leastUpFrom(parts[2], groups));
      } else if (parts.length == 3 && List.of(parts[1].split(",")).contains(V1_CONTROLLER)) {
        least = Math.min(least, leastUpFrom(parts[2], v1));
      }
    }
    return least == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(least);
  }

  private static List<String> linesOf(Path memberships) {
    try {
      return List.of(SystemFile.read(memberships).split("\n", -1));
    } catch (IOException e) {
      return List.of(); // no control groups
    }
  }

  /** The lowest limit from a group up to the root. A name may begin with {@code /..}. */
  private static long leastUpFrom(String group, Path root) {
    long least = Long.MAX_VALUE;
    Path directory = root.resolve("." + group).normalize();
    while (directory != null && directory.startsWith(root) && !directory.equals(root)) {
      least = Math.min(least, limitIn(directory));
      directory = directory.getParent();
    }
    return least;
  }

  private static long limitIn(Path group) {
    long least = Long.MAX_VALUE;
    for (String file : FILES) {
      try {
        long bytes = Long.parseLong(SystemFile.read(group.resolve(file)).trim());
        least = bytes > 0 && bytes < Long.MAX_VALUE / 2 ? Math.min(least, bytes) : least;
      } catch (IOException | NumberFormatException e) {
        // Not this kind of group, or no limit ("max").
      }
    }
    return least;
  }
}
