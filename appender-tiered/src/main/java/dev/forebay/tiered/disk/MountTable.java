package dev.forebay.tiered.disk;

import dev.forebay.agent.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mounts that a process sees, from Linux's {@code mountinfo}. Reading it accesses no disk or
 * server, so it never waits for one that hangs. Thread-safe.
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

  /** The table read last: parsed once while it does not change. */
  private static volatile MountTable newest = new MountTable("");

  /** Many appenders may start in this time. */
  private static final long LASTS_NS = 1_000_000_000;

  private final String text;

  private volatile long readNs;
  private final List<String[]> mounts = new ArrayList<>();

  /** From the text of {@code mountinfo}; skips lines of another form. */
  public MountTable(String text) {
    this.text = text;
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
      String now = SystemFile.read(SOURCE);
      MountTable known = newest;
      MountTable read = now.equals(known.text) ? known : new MountTable(now);
      read.readNs = NanoClock.SYSTEM.nanoTime();
      newest = read;
      return read;
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
    return at != null && isInMemory(at);
  }

  private static boolean isInMemory(String[] mount) {
    return mount[REST].contains(" - tmpfs ") || mount[REST].contains(" - ramfs ");
  }

  /**
   * Whether a file system is in memory only, by its device as in {@code st_dev}, from a table read
   * at most a second ago if it is there; null if it is not known.
   */
  static @Nullable Boolean isInMemory(long device) {
    MountTable known = newest;
    Boolean found =
        NanoClock.SYSTEM.nanoTime() - known.readNs < LASTS_NS ? known.inMemory(device) : null;
    return found == null ? read().inMemory(device) : found;
  }

  private @Nullable Boolean inMemory(long device) {
    String wanted = (device >>> 8 & 0xfff) + ":" + (device & 0xff | device >>> 12 & 0xfff00);
    for (String[] mount : mounts) {
      if (mount[DEVICE].equals(wanted)) {
        return isInMemory(mount);
      }
    }
    return null;
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
