package dev.forebay.it.gatling;

import dev.forebay.it.framework.BootProcess;
import org.jspecify.annotations.Nullable;

/** An application under load, in a JVM of its own. */
interface GatlingTarget extends AutoCloseable {

  /**
   * How it ended.
   *
   * @param counted events that reached its appender, counted before it
   * @param account what the appender says, null if it says nothing
   * @param orderly whether it ended as one that was asked to
   */
  record End(long counted, BootProcess.@Nullable Account account, boolean orderly) {}

  /** Where it serves requests. */
  String url();

  /** Ends its logging, and when it has said the numbers, the application. */
  End end() throws Exception;

  /** What it wrote to its standard output and error. */
  String output();

  /** Kills it. */
  @Override
  void close();
}
