package dev.forebay.benchmarks.lab.jvm;

import java.util.List;
import java.util.Locale;

/**
 * A way of the JVM's log to a file: options of the measured JVM. All ways write the same text:
 * lines begin with the time of System.nanoTime, which nothing pads.
 */
public enum LogWay {
  /** No log at all: the floor. */
  NONE("no log") {
    @Override
    public List<String> options(String what, LogPlaces places) {
      return List.of();
    }
  },

  /** A file on the disk, written by whoever logs. */
  SYNC("file on the disk") {
    @Override
    public List<String> options(String what, LogPlaces places) {
      return List.of(places.diskOutput(what));
    }
  },

  /** A file on the disk, written by a thread of the JVM. */
  ASYNC("file on the disk, -Xlog:async") {
    @Override
    public List<String> options(String what, LogPlaces places) {
      return List.of("-Xlog:async", places.diskOutput(what));
    }
  },

  /** A file in memory, which nobody takes to a disk. */
  TMPFS("file on tmpfs") {
    @Override
    public List<String> options(String what, LogPlaces places) {
      return List.of(LogPlaces.output(what, places.memoryLog()));
    }
  },

  /** A file in memory, which Forebay's agent takes to the disk. */
  FOREBAY("Forebay's agent") {
    @Override
    public List<String> options(String what, LogPlaces places) {
      return List.of(places.agentOption(what), Host.carried(places.diskLog()));
    }

    @Override
    public boolean isOurs() {
      return true;
    }
  };

  private final String label;

  LogWay(String label) {
    this.label = label;
  }

  /**
   * Options of the JVM.
   *
   * @param what tags and levels, as in {@code -Xlog}
   */
  public abstract List<String> options(String what, LogPlaces places);

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
