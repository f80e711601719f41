package dev.forebay.tiered.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mounts that a process sees, from Linux's {@code mountinfo}. Reading it accesses no disk or
 * server, so it never waits for one that hangs. Immutable.
 */
public final class MountTable {
  private static final Path SOURCE = Path.of("/proc/self/mountinfo");

  // Fields of a mount, see proc_pid_mountinfo(5): the directory ROOT of the file system DEVICE is
  // at POINT. The REST has its type.
  private static final int ID = 0;
  private static final int PARENT = 1;
  private static final int DEVICE = 2;
  private static final int ROOT = 3;
  private static final int POINT = 4;
  private static final int REST = 5;

  private final List<String[]> mounts = new ArrayList<>();

  /** From the text of {@code mountinfo}; skips lines of another form. */
  public MountTable(String text) {
    for (String line : text.split("\n", -1)) {
      String[] fields = line.split(" ", REST + 1);
      if (fields.length > REST) {
        fields[ROOT] = unescape(fields[ROOT]);
        fields[POINT] = unescape(fields[POINT]);
        mounts.add(fields);
      }
    }
  }

  /** The current table; empty if the system has none. */
  public static MountTable read() {
    try {
      return new MountTable(SystemFile.read(SOURCE));
    } catch (IOException | SecurityException | NumberFormatException e) {
      return new MountTable("");
    }
  }

  /**
   * Where a path leads: the file system, as major:minor, a blank and the absolute path in it. The
   * same in every process that reaches that place, regardless of path and container; major:minor
   * may change after a reboot and, for file systems without a device of their own, after a remount.
   *
   * @param path absolute and normalized, without symbolic links; need not exist
   * @return null if no known mount holds it
   */
  public @Nullable String find(Path path) {
    String wanted = path.toString();
    String[] at = holding(wanted);
    if (at == null) {
      return null;
    }
    String rest = wanted.substring(at[POINT].equals("/") ? 0 : at[POINT].length());
    return at[DEVICE] + " " + (at[ROOT].equals("/") ? "" : at[ROOT]) + rest;
  }

  /** Whether files below a path, as for {@link #find}, are in memory only. */
  public boolean isInMemory(Path path) {
    String[] at = holding(path.toString());
    return at != null && (at[REST].contains(" - tmpfs ") || at[REST].contains(" - ramfs "));
  }

  /** A walk from any mount at the root: those that are hidden have the one that is seen on them. */
  private String @Nullable [] holding(String wanted) {
    String[] at = null;
    for (String[] mount : mounts) {
      at = mount[POINT].equals("/") ? mount : at;
    }
    for (String[] next = at; next != null; next = mountedOn(next, wanted)) {
      at = next;
    }
    return at;
  }

  /**
   * The mount that a walk along the path enters next: of the mounts on this one, the one whose
   * point comes first. It hides those further along the path, unless they are mounted on it.
   */
  private String @Nullable [] mountedOn(String[] parent, String wanted) {
    String[] first = null;
    for (String[] mount : mounts) {
      String point = mount[POINT];
      if (mount[PARENT].equals(parent[ID])
          && !mount[ID].equals(parent[ID])
          && (point.equals("/") || (wanted + "/").startsWith(point + "/"))
          && (first == null || point.length() < first[POINT].length())) {
        first = mount;
      }
    }
    return first;
  }

  /** Space, tab, line feed and backslash are escaped as a backslash and three octal digits. */
  private static String unescape(String field) {
    StringBuilder text = new StringBuilder(field);
    for (int at = 0; at + 4 <= text.length(); at++) {
      if (text.charAt(at) == '\\') {
        char c = (char) Integer.parseInt(text.substring(at + 1, at + 4), 8);
        text.replace(at, at + 4, String.valueOf(c));
      }
    }
    return text.toString();
  }
}
