package dev.forebay.tool;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The file systems that a process sees, from its {@code /proc/PID/mounts}. */
final class MountPoints {

  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
  private static final int POINT = 1;
  private static final int TYPE = 2;
  private static final int OPTIONS = 3;

  private record Mount(Path point, String type, String options) {}

  private final List<Mount> mounts = new ArrayList<>();

  private MountPoints() {}

  static MountPoints parse(String text) {
    MountPoints all = new MountPoints();
    for (String line : text.split("\n", -1)) {
      String[] fields = line.split(" ", -1);
      if (fields.length > OPTIONS) {
        all.mounts.add(
            new Mount(Path.of(fields[POINT].replace("\\040", " ")), fields[TYPE], fields[OPTIONS]));
      }
    }
    return all;
  }

  /** Whether files below this path are in memory. */
  boolean isInMemory(Path path) {
    Mount mount = holding(path);
    return IN_MEMORY.contains(mount.type());
  }

  /** Whether pages of files below this path may be swapped out. */
  boolean isSwappable(Path path) {
    Mount mount = holding(path);
    return mount.type().equals("tmpfs")
        && !List.of(mount.options().split(",", -1)).contains("noswap");
  }

  /** The innermost mount; of several at one point, the last. */
  private Mount holding(Path path) {
    Mount best = new Mount(Path.of("/"), "", "");
    for (Mount mount : mounts) {
      if (path.startsWith(mount.point())
          && mount.point().getNameCount() >= best.point().getNameCount()) {
        best = mount;
      }
    }
    return best;
  }
}
