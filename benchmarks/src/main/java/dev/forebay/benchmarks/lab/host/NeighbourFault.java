package dev.forebay.benchmarks.lab.host;

import dev.forebay.host.Slowness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A {@link NoisyNeighbour} from the begin of the warm-up to the end of the measured time. */
final class NeighbourFault implements Disturbance {

  private static final long END_SECONDS = 20;

  private final Path file;
  private volatile @Nullable Process process;
  private volatile long origin;
  private volatile Window window = Window.NONE;
  private volatile @Nullable String problem;

  NeighbourFault(Path file) {
    this.file = file;
  }

  /** What it does, in words. */
  static String description() {
    return "blocks of 1 MiB through the page cache into a file of 256 MiB, forced every 64 MiB, on"
        + " the disk of the logs, which "
        + Slowness.SMALL_VOLUME.description();
  }

  @Override
  public void ready() throws IOException {
    process =
        new ProcessBuilder(
                List.of(
                    JavaCommand.java(),
                    "-Xmx32m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    JavaCommand.ownClassPath(),
                    NoisyNeighbour.class.getName(),
                    file.toString()))
            .redirectErrorStream(true)
            .start();
  }

  @Override
  public void measuring(long nanos) {
    origin = nanos;
  }

  @Override
  public void measured(long nanos) {
    window = new Window(0, TimeUnit.NANOSECONDS.toMillis(nanos - origin));
    end();
  }

  @Override
  public void close() {
    end();
  }

  private synchronized void end() {
    Process neighbour = process;
    if (neighbour == null) {
      return;
    }
    process = null;
    try {
      boolean hasFailed = !neighbour.isAlive();
      neighbour.getOutputStream().close();
      String said =
          new String(neighbour.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (hasFailed) {
        problem = "the neighbour failed: " + said;
      }
      if (!neighbour.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        neighbour.destroyForcibly();
      }
    } catch (IOException e) {
      problem = "the neighbour could not be ended: " + e.getMessage();
    } catch (InterruptedException e) {
      neighbour.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Window window() {
    return window;
  }

  @Override
  public @Nullable String problem() {
    String reason = problem;
    return reason == null && window.equals(Window.NONE) ? "the measured time never ended" : reason;
  }
}
