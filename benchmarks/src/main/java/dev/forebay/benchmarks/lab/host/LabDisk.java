package dev.forebay.benchmarks.lab.host;

import java.io.IOException;
import java.nio.file.Path;

/** Where a measured JVM logs to. Closing takes it away. */
interface LabDisk extends AutoCloseable {

  /** The log directory. */
  Path directory();

  /** Makes the disk sick; returns when it is. */
  void beginFault() throws IOException;

  /** Makes it well again; returns when it is. Does nothing to a disk that is well. */
  void endFault() throws IOException;

  @Override
  void close() throws IOException;
}
