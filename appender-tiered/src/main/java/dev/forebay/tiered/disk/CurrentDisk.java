package dev.forebay.tiered.disk;

/**
 * The disk that appenders started from now on use: the operating system's, unless a test has put
 * its own in front of it. For tests that reach an appender only through a configuration file; the
 * package is not exported, so an application on the module path cannot come here.
 */
public final class CurrentDisk {

  /** Written by tests, read by threads that start an appender. */
  private static volatile Disk current = new NioDisk();

  private CurrentDisk() {}

  /** The disk to use. */
  public static Disk get() {
    return current;
  }

  /** Puts another disk in its place; appenders already started keep theirs. */
  public static void replaceWith(Disk disk) {
    current = disk;
  }
}
