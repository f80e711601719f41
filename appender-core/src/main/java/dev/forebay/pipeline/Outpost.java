package dev.forebay.pipeline;

import java.util.function.Consumer;

/**
 * What an appender keeps open for others to steer it, from its first report until it stops. Called
 * in turns of the {@link Reporter}, one at a time; may block.
 */
public interface Outpost {

  /**
   * Opens what is missing. In the first turn, and after {@link Pipeline#tendOutpost}.
   *
   * @param watch has the watcher wait at a door
   */
  void tend(Consumer<Door> watch);

  /** Closes everything. Once, when the appender stops; {@link #tend} does not follow. */
  void close();
}
