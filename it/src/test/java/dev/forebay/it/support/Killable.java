package dev.forebay.it.support;

import java.io.IOException;

/** A process, or a container with one, that a test kills. */
public interface Killable extends AutoCloseable {

  boolean isAlive();

  /** Sends a signal, {@code KILL} for example; does not wait for what comes of it. */
  void signal(String name) throws Exception;

  /** Waits for its end; the exit code. */
  int awaitEnd() throws Exception;

  /** What it wrote to its standard output and error. */
  String output();

  /** Ends it, if it lives, and takes it away. */
  @Override
  void close() throws IOException;
}
