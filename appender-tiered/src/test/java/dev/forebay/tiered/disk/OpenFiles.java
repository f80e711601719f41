package dev.forebay.tiered.disk;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The open files of this process. */
public final class OpenFiles {

  private OpenFiles() {}

  public static List<String> below(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> links = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path link : links) {
        try {
          Path file = Files.readSymbolicLink(link);
          if (file.startsWith(directory)) {
            names.add(String.valueOf(file.getFileName()));
          }
        } catch (NoSuchFileException e) {
          // It was just closed.
        }
      }
    }
    return names;
  }
}
