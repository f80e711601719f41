package dev.forebay.pipeline;

/**
 * Where others look at an appender or steer it, from a second after its start until it stops.
 * Opened and closed in turns of the {@link Reporter}, one at a time, which may block.
 */
public interface Outpost {

  /** Whether {@link #tend} has something to do. The watcher's thread, so this must not block. */
  boolean isDue();

  /** Opens what is missing, and closes what is not wanted any more. In a turn. */
  void tend();

  /** Closes everything. In a turn, when the appender stops; {@link #tend} does not follow. */
  void close();

  /** Lets no thread wait in native code, which holds up the JVM's end. The shutdown hook. */
  void endWithJvm();
}
