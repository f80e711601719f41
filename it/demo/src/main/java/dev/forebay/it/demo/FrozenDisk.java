package dev.forebay.it.demo;

import dev.forebay.host.LoopDisk;
import dev.forebay.host.Slowness;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A real file system that is frozen: every write to it blocks in the kernel until it is thawed. */
record FrozenDisk(LoopDisk disk) implements LogDisk {

  private static final long MEGABYTES = 256;

  /** Creates and mounts it below a directory. Leaves nothing there where that is refused. */
  static FrozenDisk create(Path directory) throws IOException {
    return new FrozenDisk(LoopDisk.create(directory, MEGABYTES, Slowness.NONE));
  }

  @Override
  public String description() {
    return "a loop-mounted ext4 file system, frozen with fsfreeze";
  }

  @Override
  public Path directory() {
    return disk.root();
  }

  @Override
  public List<String> loggingOptions(String resource) {
    return List.of("-Dlogger.resource=" + resource);
  }

  @Override
  public void sync() throws IOException {
    disk.sync();
  }

  @Override
  public void stall(List<AppProcess> apps) throws IOException {
    disk.freeze();
  }

  @Override
  public void resume(List<AppProcess> apps) throws IOException {
    disk.thaw();
  }

  @Override
  public void release() throws IOException {
    disk.release();
  }

  @Override
  public void close() throws IOException {
    disk.close();
  }
}
