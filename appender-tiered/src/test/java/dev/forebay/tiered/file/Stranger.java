package dev.forebay.tiered.file;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What others may have put at a name. */
enum Stranger {
  TEXT,
  FOREIGN_ARCHIVE,
  DIRECTORY,
  FULL_DIRECTORY,
  PIPE,
  LINK,
  DANGLING_LINK,
  LOOP;

  void putAt(Path path) throws IOException {
    switch (this) {
      // A pipe of that name would block whoever opens it for writing.
      case TEXT -> Files.writeString(path, "junk\n", CREATE_NEW, WRITE);
      case FOREIGN_ARCHIVE -> LogRig.compress(path, "something else\n");
      case DIRECTORY -> Files.createDirectory(path);
      case FULL_DIRECTORY -> Files.createFile(Files.createDirectory(path).resolve("x"));
      case PIPE -> run("mkfifo", "-m", "600", path.toString());
      case LINK -> Files.createSymbolicLink(path, Path.of("/etc/hostname"));
      case DANGLING_LINK -> Files.createSymbolicLink(path, Path.of("no-directory/x"));
      case LOOP -> Files.createSymbolicLink(path, path.getFileName());
    }
  }

  static void run(String... command) throws IOException {
    try {
      if (new ProcessBuilder(command).start().waitFor() != 0) {
        throw new IOException("failed: " + String.join(" ", command));
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
