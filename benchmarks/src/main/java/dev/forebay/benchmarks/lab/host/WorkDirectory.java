package dev.forebay.benchmarks.lab.host;

import dev.forebay.host.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A fresh directory that is deleted, with all in it, when it is closed. */
record WorkDirectory(Path path) implements AutoCloseable {

  /** Followed by the process id of the lab and a random number. */
  private static final String PREFIX = "forebay-lab-";

  private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d+)-\\d+");

  /** Makes one below a directory, which is made too. */
  static WorkDirectory in(Path parent) throws IOException {
    Files.createDirectories(parent);
    return new WorkDirectory(
        Files.createTempDirectory(parent, PREFIX + ProcessHandle.current().pid() + "-"));
  }

  /** Deletes those of labs that were killed before they could. */
  static void removeLeftovers(Path parent) throws IOException {
    List<Path> all;
    try (Stream<Path> paths = Files.list(parent)) {
      all = paths.toList();
    }
    for (Path path : all) {
      Matcher name = NAME.matcher(path.getFileName().toString());
      if (name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
        new WorkDirectory(path).close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    FileTree.delete(path);
  }
}
