package dev.forebay.it.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A plain directory, for users who may not freeze a file system: the applications hold back their
 * own writes to the log, Logback's below its file appender and Forebay's at the disk seam.
 */
final class StalledWriter implements LogDisk {

  private static final String LOGBACK_FILE = "ch.qos.logback.core.rolling.RollingFileAppender";
  private static final String STALLING_FILE = "dev.forebay.it.demo.app.StallingFileAppender";

  private final Path work;
  private final String reason;

  /**
   * @param work the work directory
   * @param reason why no real file system is frozen
   */
  StalledWriter(Path work, String reason) {
    this.work = work;
    this.reason = reason;
  }

  @Override
  public String description() {
    return "a stalled writer at the disk seam (no real frozen file system: " + reason + ")";
  }

  @Override
  public Path directory() {
    return work.resolve("disk");
  }

  @Override
  public List<String> loggingOptions(String resource) throws IOException {
    Path file = work.resolve(Path.of(resource).getFileName());
    Files.writeString(file, withStallGates(read(resource)));
    return List.of("-Dlogger.file=" + file, "-Ddemo.stallingDisk=true");
  }

  /** The same configuration, with Logback's file appender replaced by one that can be stalled. */
  static String withStallGates(String configuration) {
    return configuration.replace(LOGBACK_FILE, STALLING_FILE);
  }

  private static String read(String resource) throws IOException {
    try (InputStream stream = StalledWriter.class.getResourceAsStream("/" + resource)) {
      if (stream == null) {
        throw new IOException(resource + " is not on the class path");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void sync() {
    // The gates close at once.
  }

  @Override
  public void stall(List<AppProcess> apps) throws IOException {
    for (AppProcess app : apps) {
      app.tell("stall");
    }
  }

  @Override
  public void resume(List<AppProcess> apps) throws IOException {
    for (AppProcess app : apps) {
      app.tell("resume");
    }
  }

  @Override
  public void release() {
    // The applications are about to be killed, and nothing of theirs hangs in the kernel.
  }

  @Override
  public void close() {
    // The directory goes with the work directory.
  }
}
