package dev.forebay.it.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The disk both applications log to, which the demo can make stop answering. */
interface LogDisk extends AutoCloseable {

  /** How it is stalled, in one sentence for the user. */
  String description();

  /** Where log files go; not to be touched while the disk is stalled. */
  Path directory();

  /**
   * JVM options that make an application log with a configuration of the demo.
   *
   * @param resource name of the configuration on the class path
   */
  List<String> loggingOptions(String resource) throws IOException;

  /** Writes out what is waiting, so that {@link #stall} takes effect soon. The disk answers on. */
  void sync() throws IOException;

  /** Makes the disk stop answering, and returns when it has. */
  void stall(List<AppProcess> apps) throws IOException;

  /** Makes it answer again, and returns when it does. */
  void resume(List<AppProcess> apps) throws IOException;

  /** Makes it answer again, for good, if it does not. */
  void release() throws IOException;

  @Override
  void close() throws IOException;
}
