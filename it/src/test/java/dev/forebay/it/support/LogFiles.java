package dev.forebay.it.support;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The files of one log: archives, packed or not, and the active file.
 *
 * <p>A process that dies while Logback packs an archive leaves what was to be packed, complete and
 * under a name that ends with the time and {@code .tmp}, and beside it nothing, a part or all of
 * the packed file. Nobody packs it later. So the lines are read from the source, and the packed
 * file must hold nothing else.
 */
public final class LogFiles {

  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final Pattern PACKING = Pattern.compile("(.*\\.log)\\d+\\.tmp");

  private final Path active;
  private boolean newestFirst;

  private LogFiles(Path active) {
    this.active = active;
  }

  /** The active file and everything else in its directory. */
  public static LogFiles of(Path active) {
    return new LogFiles(active);
  }

  /** For a fixed window, where archive 1 is the newest. */
  public LogFiles numberedFromNewest() {
    newestFirst = true;
    return this;
  }

  /**
   * Archives from the oldest on, then the active file if there is one. Hidden files are no log. A
   * process that is killed as it starts may not even have made the directory.
   */
  public List<Path> paths() throws IOException {
    List<Path> paths = new ArrayList<>();
    if (!Files.isDirectory(active.resolveSibling(""))) {
      return paths;
    }
    try (Stream<Path> entries = Files.list(active.resolveSibling(""))) {
      entries
          .filter(entry -> !entry.equals(active) && Files.isRegularFile(entry))
          .filter(entry -> !entry.getFileName().toString().startsWith("."))
          .forEach(paths::add);
    }
    Comparator<Path> byNumbers = Comparator.comparing(LogFiles::sortKey);
    paths.sort((newestFirst ? byNumbers.reversed() : byNumbers).thenComparing(path -> path));
    if (Files.exists(active)) {
      paths.add(active);
    }
    return paths;
  }

  /** How many files there are, while others still make them. */
  public int fileCount() throws IOException {
    return paths().size();
  }

  /** All lines, oldest first; a file that does not end with a line feed ends with a torn line. */
  public List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    List<Path> paths = paths();
    for (Path path : paths) {
      if (!isPart(path, paths)) {
        addLines(new String(content(path), StandardCharsets.UTF_8), path, lines);
      }
    }
    return lines;
  }

  /** Whether this is a packed file whose source is still there, and holds nothing else. */
  private static boolean isPart(Path packed, List<Path> paths) throws IOException {
    for (Path source : paths) {
      Matcher matcher = PACKING.matcher(source.toString());
      if (matcher.matches() && packed.toString().equals(matcher.group(1) + ".gz")) {
        byte[] whole = Files.readAllBytes(source);
        byte[] part = unpackedPart(packed);
        if (part.length <= whole.length
            && Arrays.equals(part, 0, part.length, whole, 0, part.length)) {
          return true;
        }
      }
    }
    return false;
  }

  private static byte[] unpackedPart(Path packed) throws IOException {
    ByteArrayOutputStream part = new ByteArrayOutputStream();
    try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
      for (int next = in.read(); next >= 0; next = in.read()) {
        part.write(next);
      }
    } catch (EOFException e) {
      // so far it got
    }
    return part.toByteArray();
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
  public static byte[] content(Path path) throws IOException {
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
    Matcher packing = PACKING.matcher(path.getFileName().toString());
    String name = packing.matches() ? packing.group(1) : path.getFileName().toString();
    Matcher matcher = NUMBER.matcher(name);
    return matcher.replaceAll(match -> "0".repeat(20 - match.group().length()) + match.group());
  }
}
