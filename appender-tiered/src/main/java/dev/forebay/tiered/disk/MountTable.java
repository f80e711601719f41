package dev.forebay.tiered.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mounts that this process sees, from Linux's {@code mountinfo}. Reading it accesses no disk or
 * server, so it never waits for one that hangs. Immutable.
 */
public final class MountTable {
  private static final Path SOURCE = Path.of("/proc/self/mountinfo");

  // Fields of a line, see proc_pid_mountinfo(5).
  private static final int ID = 0;
  private static final int PARENT = 1;
  private static final int DEVICE = 2;
  private static final int ROOT = 3;
  private static final int POINT = 4;
  private static final int FIELDS = 5;

  /** A mount: the directory {@code root} of the file system {@code device} is at {@code point}. */
  private record Mount(String id, String parent, String device, String root, String point) {}

  /**
   * Where a path leads: the same in every process that reaches the same place, regardless of path
   * and container.
   *
   * @param device the file system, as major:minor; may change after a reboot and, for file systems
   *     without a device of their own, after a remount
   * @param path absolute, within the file system
   */
  public record Place(String device, String path) {

    // Explicit, since the generated ones keep class loaders alive: see decisions.md.
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Place place && device.equals(place.device) && path.equals(place.path);
    }

    @Override
    public int hashCode() {
      return 31 * device.hashCode() + path.hashCode();
    }
  }

  private final List<Mount> mounts;

  private MountTable(List<Mount> mounts) {
    this.mounts = mounts;
  }

  /** The current table; empty if the system has none. */
  public static MountTable read() {
    try {
      return parse(SystemFile.read(SOURCE));
    } catch (IOException | SecurityException e) {
      return parse("");
    }
  }

  /** Parses the text of {@code mountinfo}; skips lines of another form. */
  public static MountTable parse(String text) {
    List<Mount> mounts = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      String[] fields = line.split(" ", FIELDS + 1);
      if (fields.length > FIELDS) {
        mounts.add(
            new Mount(
                fields[ID],
                fields[PARENT],
                fields[DEVICE],
                unescape(fields[ROOT]),
                unescape(fields[POINT])));
      }
    }
    return new MountTable(mounts);
  }

  /**
   * Where a path leads.
   *
   * @param path absolute and normalized, without symbolic links; need not exist
   * @return null if no known mount holds it
   */
  public @Nullable Place find(Path path) {
    String wanted = path.toString();
    Mount at = root();
    for (Mount next = at; next != null; next = mountedOn(next, wanted)) {
      at = next;
    }
    if (at == null || !holds(at.point(), wanted)) {
      return null;
    }
    String rest = wanted.substring(at.point().equals("/") ? 0 : at.point().length());
    String root = at.root().equals("/") ? "" : at.root();
    return new Place(at.device(), root + rest);
  }

  /** The root mount: its parent is not in the table, or is itself. */
  private @Nullable Mount root() {
    for (Mount mount : mounts) {
      if (mount.point().equals("/")
          && (mount.id().equals(mount.parent()) || !holds(mount.parent()))) {
        return mount;
      }
    }
    return null;
  }

  private boolean holds(String id) {
    for (Mount mount : mounts) {
      if (mount.id().equals(id)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The mount that a walk along the path enters next: of the mounts on this one, the one whose
   * point comes first. It hides those further along the path, unless they are mounted on it.
   */
  private @Nullable Mount mountedOn(Mount parent, String wanted) {
    Mount first = null;
    for (Mount mount : mounts) {
      if (mount.parent().equals(parent.id())
          && !mount.id().equals(parent.id())
          && holds(mount.point(), wanted)
          && (first == null || mount.point().length() < first.point().length())) {
        first = mount;
      }
    }
    return first;
  }

  private static boolean holds(String point, String wanted) {
    return point.equals("/") || wanted.equals(point) || wanted.startsWith(point + "/");
  }

  /** Space, tab, line feed and backslash are escaped as a backslash and three octal digits. */
  private static String unescape(String field) {
    StringBuilder text = new StringBuilder(field.length());
    int at = 0;
    while (at < field.length()) {
      char c = field.charAt(at);
      if (c == '\\' && field.substring(at + 1).matches("(?s)[0-3][0-7]{2}.*")) {
        text.append((char) Integer.parseInt(field.substring(at + 1, at + 4), 8));
        at += 4;
      } else {
        text.append(c);
        at++;
      }
    }
    return text.toString();
  }
}
