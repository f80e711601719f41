package dev.forebay.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The dumps of a flight recorder beside a log {@code app.log}. */
public final class DumpFiles {

  private DumpFiles() {}

  /** Complete dumps, oldest first. */
  public static List<Path> of(Path log) throws IOException {
    try (Stream<Path> files = Files.list(log.resolveSibling(""))) {
      return files
          .filter(path -> String.valueOf(path.getFileName()).startsWith("app.flight."))
          .sorted()
          .toList();
    }
  }

  /** Those that are being written, or that a kill has left. */
  public static List<Path> unfinished(Path log) throws IOException {
    try (Stream<Path> files = Files.list(log.resolveSibling(""))) {
      return files.filter(path -> path.toString().endsWith(".part")).sorted().toList();
    }
  }

  /** Their lines, without the remarks. */
  public static List<String> events(Path dump) throws IOException {
    return Files.readAllLines(dump).stream().filter(line -> !line.startsWith("#")).toList();
  }

  /** The remarks of the recorder. */
  public static List<String> remarks(Path dump) throws IOException {
    return Files.readAllLines(dump).stream().filter(line -> line.startsWith("#")).toList();
  }
}
