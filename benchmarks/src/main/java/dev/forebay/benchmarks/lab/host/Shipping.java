package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.child.ShipChild;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The process that ships for one that is measured. */
final class Shipping implements AutoCloseable {

  /** It commits what is copied. */
  private static final long END_SECONDS = 10;

  private final Process process;

  private Shipping(Process process) {
    this.process = process;
  }

  static Shipping start(Path spool) throws IOException {
    return new Shipping(
        new ProcessBuilder(
                JavaCommand.java(),
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                JavaCommand.ownClassPath(),
                ShipChild.class.getName(),
                spool.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().completeOnTimeout(process, END_SECONDS, TimeUnit.SECONDS).join();
    process.destroyForcibly();
  }
}
