package dev.forebay.it.demo;

import dev.forebay.host.LoopDisk;
import dev.forebay.host.OfflinePage;
import dev.forebay.host.Slowness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The disk both applications log to, which the demo can make stop answering: a real file system
 * that is frozen, so that every write to it blocks in the kernel; or, for users who may not do
 * that, a directory to which the applications hold back their own writes.
 *
 * @param work the work directory
 * @param real null for a directory
 * @param description how it is stalled, for the user
 */
record LogDisk(Path work, @Nullable LoopDisk real, String description) implements AutoCloseable {

  private static final long MEGABYTES = 256;

  /** A real one if that is possible. */
  static LogDisk create(Path work) {
    String obstacle = LoopDisk.obstacle();
    if (obstacle.isEmpty()) {
      try {
        LoopDisk real = LoopDisk.create(work, MEGABYTES, Slowness.NONE);
        return new LogDisk(work, real, "a loop-mounted ext4 file system, frozen with fsfreeze");
      } catch (IOException e) {
        obstacle = "it was refused, " + e.getMessage();
      }
    }
    return new LogDisk(
        work,
        null,
        "a stalled writer at the disk seam (no real frozen file system: " + obstacle + ")");
  }

  /** Where log files go; not to be touched while the disk is stalled. */
  Path directory() {
    return real == null ? work.resolve("disk") : real.root();
  }

  /**
   * JVM options that make an application log with a configuration of the demo.
   *
   * @param resource name of the configuration on the class path
   */
  List<String> loggingOptions(String resource) throws IOException {
    if (real != null) {
      return List.of("-Dlogger.resource=" + resource);
    }
    String stalling =
        OfflinePage.resource(LogDisk.class, "/" + resource)
            .replace(
                "ch.qos.logback.core.rolling.RollingFileAppender",
                "dev.forebay.it.demo.app.StallingFileAppender");
    Path file = Files.writeString(work.resolve(Path.of(resource).getFileName()), stalling);
    return List.of("-Dlogger.file=" + file, "-Ddemo.stallingDisk=true");
  }

  /** Writes out what is waiting, so that {@link #stall} takes effect soon. */
  void sync() throws IOException {
    if (real != null) {
      real.sync();
    }
  }

  /** Makes the disk stop answering, and returns when it has. */
  void stall(List<AppProcess> apps) throws IOException {
    if (real != null) {
      real.freeze();
      return;
    }
    for (AppProcess app : apps) {
      app.tell("stall");
    }
  }

  /** Makes it answer again, and returns when it does. */
  void resume(List<AppProcess> apps) throws IOException {
    if (real != null) {
      real.thaw();
      return;
    }
    for (AppProcess app : apps) {
      app.tell("resume");
    }
  }

  /** Makes it answer again, for good, if it does not. */
  void release() throws IOException {
    if (real != null) {
      real.release();
    }
  }

  @Override
  public void close() throws IOException {
    if (real != null) {
      real.close();
    }
  }
}
