package dev.forebay.benchmarks;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Fresh private directories of one benchmark: for the spool in memory, for the log on a disk. They
 * are removed when closed and, after a failure, when the JVM ends.
 */
public final class ScratchDirectories implements Closeable {

  private static final Path MEMORY = Path.of("/dev/shm");

  /** Of their names, which tell the directories of this process from those of others. */
  static final String PREFIX = "forebay-jmh-" + ProcessHandle.current().pid() + "-";

  private final Path spool;
  private final Path log;
  private final Thread lastResort = new Thread(this::deleteAll, "scratch-cleanup");

  /** Makes both. */
  public ScratchDirectories() {
    try {
      spool =
          Files.isDirectory(MEMORY)
              ? Files.createTempDirectory(MEMORY, PREFIX)
              : Files.createTempDirectory(PREFIX);
      log = Files.createTempDirectory(PREFIX);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Runtime.getRuntime().addShutdownHook(lastResort);
  }

  /** Below {@code /dev/shm}, or where there is none beside the log. */
  public Path spool() {
    return spool;
  }

  /** A log file that does not exist yet, in a directory below {@code java.io.tmpdir}. */
  public Path logFile() {
    return log.resolve("app.log");
  }

  /** Removes both with all that is in them. */
  @Override
  public void close() {
    deleteAll();
    try {
      Runtime.getRuntime().removeShutdownHook(lastResort);
    } catch (IllegalStateException e) {
      // The JVM is ending: the hook runs and finds nothing.
    }
  }

  private void deleteAll() {
    try {
      delete(spool);
      delete(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory) throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> tree = Files.walk(directory)) {
      deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
    } catch (NoSuchFileException e) {
      return;
    }
    for (Path path : deepestFirst) {
      Files.deleteIfExists(path);
    }
  }
}
