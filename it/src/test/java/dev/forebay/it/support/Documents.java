package dev.forebay.it.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The project's documents, where tests hold them to what they say. */
public final class Documents {

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private Documents() {}

  /** The directory with the modules. */
  public static Path root() {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(root.resolve("src/docs"))) {
      root = root.getParent();
    }
    return root;
  }

  /** The text of a file under src/docs. */
  public static String read(String name) throws IOException {
    return Files.readString(root().resolve("src/docs").resolve(name));
  }

  /** What stands in code quotes, in order. */
  public static List<String> names(String text) {
    return CODE.matcher(text).results().map(code -> code.group(1)).toList();
  }

  /** Files with this ending, so deep below each of these directories of the project. */
  public static List<Path> files(int depth, String ending, String... directories)
      throws IOException {
    List<Path> files = new ArrayList<>();
    for (String directory : directories) {
      try (Stream<Path> all = Files.walk(root().resolve(directory), depth)) {
        all.filter(path -> path.toString().endsWith(ending)).sorted().forEach(files::add);
      }
    }
    return files;
  }

  /** The cells of all tables in a text, without their heads. */
  public static List<String[]> table(String text) {
    List<String[]> rows = new ArrayList<>();
    boolean body = false;
    for (String line : text.lines().toList()) {
      if (line.startsWith("|---")) {
        body = true;
      } else if (!line.startsWith("|")) {
        body = false;
      } else if (body) {
        rows.add(line.substring(1).split("\\|", -1));
      }
    }
    rows.forEach(
        cells -> {
          for (int i = 0; i < cells.length; i++) {
            cells[i] = cells[i].strip();
          }
        });
    return rows;
  }
}
