package dev.forebay.it;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipInputStream;
import org.tukaani.xz.XZInputStream;

/** The files of one log: archives, packed or not, and the active file. */
final class LogFiles {

  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private final Path active;
  private boolean newestFirst;

  private LogFiles(Path active) {
    this.active = active;
  }

  /** The active file and everything else in its directory. */
  static LogFiles of(Path active) {
    return new LogFiles(active);
  }

  /** For a fixed window, where archive 1 is the newest. */
  LogFiles numberedFromNewest() {
    newestFirst = true;
    return this;
  }

  /** Archives from the oldest on, then the active file if there is one. Hidden files are no log. */
  List<Path> paths() throws IOException {
    List<Path> paths = new ArrayList<>();
    try (Stream<Path> entries = Files.list(active.resolveSibling(""))) {
      entries
          .filter(entry -> !entry.equals(active) && Files.isRegularFile(entry))
          .filter(entry -> !entry.getFileName().toString().startsWith("."))
          .forEach(paths::add);
    }
    Comparator<Path> byNumbers = Comparator.comparing(LogFiles::sortKey);
    paths.sort(newestFirst ? byNumbers.reversed() : byNumbers);
    if (Files.exists(active)) {
      paths.add(active);
    }
    return paths;
  }

  /** How many files there are, while others still make them. */
  int fileCount() throws IOException {
    return Files.isDirectory(active.resolveSibling("")) ? paths().size() : 0;
  }

  /** All lines, oldest first; a file that does not end with a line feed ends with a torn line. */
  List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path path : paths()) {
      lines.addAll(linesOf(path));
    }
    return lines;
  }

  /** The lines of one file. */
  static List<String> linesOf(Path path) throws IOException {
    List<String> lines = new ArrayList<>();
    addLines(new String(content(path), StandardCharsets.UTF_8), path, lines);
    return lines;
  }

  private static void addLines(String text, Path path, List<String> lines) {
    int from = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      lines.add(text.substring(from, end));
      from = end + 1;
    }
    if (from < text.length()) {
      lines.add(text.substring(from) + " [no line feed at the end of " + path.getFileName() + "]");
    }
  }

  /** What the file holds, unpacked. */
  static byte[] content(Path path) throws IOException {
    byte[] raw = Files.readAllBytes(path);
    String name = path.getFileName().toString();
    InputStream in = new ByteArrayInputStream(raw);
    if (name.endsWith(".gz")) {
      return new GZIPInputStream(in).readAllBytes();
    }
    if (name.endsWith(".xz")) {
      return new XZInputStream(in).readAllBytes();
    }
    if (name.endsWith(".zip")) {
      ZipInputStream zip = new ZipInputStream(in);
      zip.getNextEntry();
      return zip.readAllBytes();
    }
    return raw;
  }

  /** Numbers in a name count as numbers: 10 follows 9. */
  private static String sortKey(Path path) {
    Matcher matcher = NUMBER.matcher(path.getFileName().toString());
    return matcher.replaceAll(match -> "0".repeat(20 - match.group().length()) + match.group());
  }
}
