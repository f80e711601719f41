package dev.forebay.it.support;

import dev.forebay.host.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A test's own directories: the log on a disk, the spool in memory where there is such a place. */
public final class Places implements AutoCloseable {

  private static final Path MEMORY = Path.of("/dev/shm");

  private final Path root;
  private final Path spool;

  private Places(Path root, Path spool) {
    this.root = root;
    this.spool = spool;
  }

  /** New ones. Throws unchecked, so that a test can have them in a field. */
  public static Places create() {
    try {
      Path root = Files.createTempDirectory("forebay-it-");
      Path spool =
          Files.isWritable(MEMORY)
              ? Files.createTempDirectory(MEMORY, "forebay-it-")
              : Files.createDirectory(root.resolve("spool"));
      Files.createDirectory(root.resolve("log"));
      return new Places(root, spool);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** For whatever is neither log nor spool. */
  public Path root() {
    return root;
  }

  public Path logDirectory() {
    return root.resolve("log");
  }

  public Path log() {
    return logDirectory().resolve("app.log");
  }

  public Path spool() {
    return spool;
  }

  /** A new directory of this name. */
  public Path directory(String name) throws IOException {
    return Files.createDirectory(root.resolve(name));
  }

  /** The elements {@code file} and {@code spoolDirectory}. */
  public String xml() {
    return Xml.places(log(), spool);
  }

  public List<String> lines() throws IOException {
    return LogFiles.of(log()).lines();
  }

  @Override
  public void close() throws IOException {
    FileTree.delete(root);
    FileTree.delete(spool);
  }
}
