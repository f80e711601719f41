package dev.forebay.benchmarks.lab.host;

import java.io.IOException;
import java.nio.file.Path;

/** A directory of the disk that is there anyway, which never gets sick. */
record PlainDisk(Path directory) implements LabDisk {

  @Override
  public void beginFault() throws IOException {
    throw new IOException("No fault can be caused in " + directory);
  }

  @Override
  public void endFault() {}

  /** The directory goes with the work directory that it is in. */
  @Override
  public void close() {}
}
