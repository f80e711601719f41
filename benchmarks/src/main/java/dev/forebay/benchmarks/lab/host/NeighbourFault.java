package dev.forebay.benchmarks.lab.host;

import dev.forebay.host.Slowness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Other processes, from the begin of the warm-up to the end of the measured time. */
final class NeighbourFault implements Disturbance {

  private static final int PROCESSOR_HOGS = 8;
  private static final long END_SECONDS = 20;

  private final int number;
  private final List<String> command;
  private final List<Process> processes = new ArrayList<>();
  private volatile long origin;
  private volatile Window window = Window.NONE;
  private volatile @Nullable String problem;

  /** So many processes of a class. */
  NeighbourFault(int number, Class<?> main, String... arguments) {
    this.number = number;
    command =
        new ArrayList<>(
            List.of(
                JavaCommand.java(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                JavaCommand.ownClassPath(),
                main.getName()));
    command.addAll(List.of(arguments));
  }

  /** A {@link NoisyNeighbour}. */
  static NeighbourFault writing(Path... files) {
    String[] names = Stream.of(files).map(Path::toString).toArray(String[]::new);
    return new NeighbourFault(1, NoisyNeighbour.class, names);
  }

  /** Eight {@link ProcessorHog}s. */
  static NeighbourFault computing() {
    return new NeighbourFault(PROCESSOR_HOGS, ProcessorHog.class);
  }

  /** What the one that writes does, in words. */
  static String description() {
    return "blocks of 1 MiB through the page cache into a file of 256 MiB, forced every 64 MiB, on"
        + " the disk of the logs, which "
        + Slowness.SMALL_VOLUME.description()
        + "; the same into two files at once on a saturated one, which "
        + Slowness.SATURATED.description();
  }

  @Override
  public synchronized void ready() throws IOException {
    for (int i = 0; i < number; i++) {
      processes.add(new ProcessBuilder(command).redirectErrorStream(true).start());
    }
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
    List<Process> ending = List.copyOf(processes);
    processes.clear();
    for (Process neighbour : ending) {
      end(neighbour);
    }
  }

  private void end(Process neighbour) {
    try {
      boolean hasFailed = !neighbour.isAlive();
      neighbour.getOutputStream().close();
      String said =
          new String(neighbour.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (hasFailed) {
        problem = "a neighbour failed: " + said;
      }
      if (!neighbour.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        neighbour.destroyForcibly();
      }
    } catch (IOException e) {
      problem = "a neighbour could not be ended: " + e.getMessage();
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
