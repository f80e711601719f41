package dev.forebay.it.control;

import dev.forebay.host.Await;
import dev.forebay.tiered.control.ControlClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The control sockets below a spool directory. */
final class Sockets {

  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
  private static final int DEPTH = 4;

  /** What an appender said, or why it refused. */
  record Answer(boolean isDone, List<String> lines) {}

  private Sockets() {}

  /** The spools that have one. */
  static List<Path> spools(Path base) throws IOException {
    try (Stream<Path> paths = Files.walk(base, DEPTH)) {
      return paths.filter(ControlClient::isPresent).toList();
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof NoSuchFileException) {
        return List.of(); // a spool was just removed
      }
      throw e;
    }
  }

  /** Waits until there are so many. */
  static List<Path> await(Path base, int count) throws IOException {
    Await.until(count + " sockets", () -> spools(base).size() == count);
    return spools(base);
  }

  static Answer ask(Path spool, String request) throws IOException {
    try {
      return new Answer(true, ControlClient.ask(spool, request, PATIENCE_NS));
    } catch (IllegalStateException e) {
      return new Answer(false, List.of(e.getMessage()));
    }
  }
}
