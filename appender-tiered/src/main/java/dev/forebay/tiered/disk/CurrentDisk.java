package dev.forebay.tiered.disk;

/**
 * The disk that newly started appenders use: the operating system's, unless a test has replaced it.
 * For tests that reach an appender only through a configuration file. The package is not exported,
 * so applications on the module path cannot use it.
 */
public final class CurrentDisk {

  /** Written by tests, read by threads that start an appender. */
  private static volatile Disk current = new NioDisk();

  private CurrentDisk() {}

  /** The disk to use. */
  public static Disk get() {
    return current;
  }

  /** Replaces the disk; appenders already started keep theirs. */
  public static void replaceWith(Disk disk) {
    current = disk;
  }
}
