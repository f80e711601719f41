package dev.forebay.tool;

/** What stops Logback at the end of the application. */
enum Framework {
  BOOT,
  PLAY,
  NONE,
  UNKNOWN;

  /** Whether it stops Logback itself. */
  boolean stopsLogback() {
    return this == BOOT || this == PLAY;
  }
}
