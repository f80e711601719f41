package dev.forebay.benchmarks.lab.jvm;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A way of the JVM's log to a file: options of the measured JVM.
 *
 * <p>An agent that takes the log to the disk is one constant more here, with {@code -javaagent:} as
 * its option and {@link #isOurs} true; nothing else knows the ways by name but where they are
 * compared with {@link #NONE} and {@link #SYNC}.
 */
public enum LogWay {
  /** No log at all: the floor. */
  NONE("no log") {
    @Override
    public List<String> options(String what, Path disk, Path memory) {
      return List.of();
    }
  },

  /** A file on the disk, written by whoever logs. */
  SYNC("file on the disk") {
    @Override
    public List<String> options(String what, Path disk, Path memory) {
      return List.of(file(what, disk));
    }
  },

  /** A file on the disk, written by a thread of the JVM. */
  ASYNC("file on the disk, -Xlog:async") {
    @Override
    public List<String> options(String what, Path disk, Path memory) {
      return List.of("-Xlog:async", file(what, disk));
    }
  },

  /** A file in memory, which nobody takes to a disk. */
  TMPFS("file on tmpfs") {
    @Override
    public List<String> options(String what, Path disk, Path memory) {
      return List.of(file(what, memory));
    }
  };

  /** Name of the log. */
  public static final String FILE = "jvm.log";

  private final String label;

  LogWay(String label) {
    this.label = label;
  }

  /**
   * Options of the JVM.
   *
   * @param what tags and levels, as in {@code -Xlog}
   * @param disk directory on the disk
   * @param memory directory on tmpfs
   */
  public abstract List<String> options(String what, Path disk, Path memory);

  private static String file(String what, Path directory) {
    return "-Xlog:%s:file=%s:uptime,level,tags:filecount=0"
        .formatted(what, directory.resolve(FILE));
  }

  /** Name for people. */
  public String label() {
    return label;
  }

  /** Whether it is one of ours, of which the budgets are. */
  public boolean isOurs() {
    return false;
  }

  /** As it is written on the command line and in file names. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
