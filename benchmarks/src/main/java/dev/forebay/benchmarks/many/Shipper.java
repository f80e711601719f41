package dev.forebay.benchmarks.many;

import dev.forebay.benchmarks.lab.child.ShipChild;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The process that ships for appenders that are apart, with a row of its own. */
final class Shipper implements AutoCloseable {

  private static final double KIB = 1024;
  private static final double PERCENT = 100;

  private final @Nullable Process process;
  private Footprint settled = Footprint.NONE;

  private Shipper(@Nullable Process process) {
    this.process = process;
  }

  /** Starts it, if it is needed, as small as a JVM gets. */
  static Shipper start(boolean isNeeded, Path spools) throws IOException {
    return new Shipper(
        isNeeded
            ? new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-Xss256k",
                    "-XX:TieredStopAtLevel=1",
                    "-Xmx64m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    ShipChild.class.getName(),
                    spools.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
            : null);
  }

  /** What it holds and has used; 0 if there is none. */
  Footprint now() throws IOException {
    return process == null ? Footprint.NONE : Footprint.of(process.toHandle());
  }

  /** Kills it like {@code kill -9}. */
  void kill() throws InterruptedException {
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  /** From now on nothing is logged. */
  void settled() throws IOException {
    settled = now();
  }

  /** What it holds now, and has used since. */
  String row(Duration idle) throws IOException {
    if (process == null) {
      return "";
    }
    Footprint now = now();
    return String.format(
        Locale.ROOT,
        "| its shipper | | %,d | | %,d | %.1f MB | | | | | | | | %.3f %% |%n",
        now.threads(),
        now.files(),
        now.residentKib() / KIB,
        PERCENT * (now.cpuNs() - settled.cpuNs()) / idle.toNanos());
  }

  @Override
  public void close() throws IOException {
    if (process != null) {
      process.getOutputStream().close();
      process.onExit().join(); // before its directories are deleted
    }
  }
}
