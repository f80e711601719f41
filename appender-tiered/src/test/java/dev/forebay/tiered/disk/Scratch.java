package dev.forebay.tiered.disk;

import dev.forebay.host.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory for one try of a property; in memory where possible, since there are many. */
public final class Scratch implements AutoCloseable {
  private static final Path MEMORY = Path.of("/dev/shm");

  private final Path path;

  public Scratch() throws IOException {
    path =
        Files.isWritable(MEMORY)
            ? Files.createTempDirectory(MEMORY, "forebay-test")
            : Files.createTempDirectory("forebay-test");
  }

  public Path path() {
    return path;
  }

  public Path directory(String name) throws IOException {
    return Files.createDirectories(path.resolve(name));
  }

  @Override
  public void close() throws IOException {
    FileTree.delete(path);
  }
}
