package dev.forebay.benchmarks.lab.host;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A fresh directory that is deleted, with all in it, when it is closed. */
record WorkDirectory(Path path) implements AutoCloseable {

  /** Makes one below a directory, which is made too. */
  static WorkDirectory in(Path parent) throws IOException {
    Files.createDirectories(parent);
    return new WorkDirectory(Files.createTempDirectory(parent, "forebay-lab-"));
  }

  /** Another process may still be deleting in it: what is gone already is no error. */
  @Override
  public void close() throws IOException {
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
              throws IOException {
            if (e != null) {
              throw e;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
