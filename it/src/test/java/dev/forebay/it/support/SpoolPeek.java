package dev.forebay.it.support;

import dev.forebay.host.Await;
import dev.forebay.host.FileTree;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.MissingRecords;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLock;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Looks into the spools that dead processes left, and changes nothing. */
public final class SpoolPeek {

  private static final int BATCH_BYTES = 256 * 1024;

  private SpoolPeek() {}

  /** All records in the spools of a log, shipped or not, as lines. */
  public static List<String> lines(Path base, Path log) throws IOException {
    SpoolDirectory directory =
        SpoolDirectory.openExisting(new NioDisk(), base, LogIdentity.of(new NioDisk(), log));
    return directory == null ? List.of() : lines(directory);
  }

  /** As the other, for the logs of containers, whose paths mean nothing here. */
  public static List<String> lines(Path base) throws IOException {
    List<String> lines = new ArrayList<>();
    for (SpoolDirectory directory : SpoolDirectory.all(new NioDisk(), base, path -> false)) {
      lines.addAll(lines(directory));
    }
    return lines;
  }

  private static List<String> lines(SpoolDirectory directory) throws IOException {
    List<String> lines = new ArrayList<>();
    try (SpoolLock lock = directory.tryShipLock()) {
      if (lock == null) {
        throw new AssertionError("somebody ships from " + directory.path());
      }
      for (Path spool : directory.list(SpoolNames.SPOOL)) {
        try (RecordSource orphan = directory.adopt(spool)) {
          if (orphan != null) {
            addLines(orphan, lines);
          }
        }
      }
    }
    return lines;
  }

  /**
   * What the loops of dead flight recorders hold, by the first digits of their names. A record has
   * a key of two bytes and more before its line; here it has none. Takes their locks meanwhile: an
   * appender that looks at that moment takes them for those of a live process.
   */
  public static Map<String, List<String>> loops(Path base, Path log) throws IOException {
    SpoolDirectory directory =
        SpoolDirectory.openExisting(new NioDisk(), base, LogIdentity.of(new NioDisk(), log));
    Map<String, List<String>> loops = new TreeMap<>();
    for (RecordSource loop :
        directory == null ? List.<RecordSource>of() : directory.orphans(SpoolNames.FLIGHT)) {
      try (loop) {
        List<String> lines = new ArrayList<>();
        addLines(loop, lines);
        lines.replaceAll(line -> line.replaceFirst("^\0\0", ""));
        if (loop.hasNote() || !lines.isEmpty()) { // else its process was killed as it made it
          loops.put(loop.instanceId().toString().substring(0, 8), lines);
        }
      }
    }
    return loops;
  }

  private static void addLines(RecordSource source, List<String> lines) throws IOException {
    RecordBatch batch = new RecordBatch(BATCH_BYTES);
    for (MissingRecords gap = source.read(batch, BATCH_BYTES);
        gap != null || batch.count() > 0;
        gap = source.read(batch, BATCH_BYTES)) {
      lines.addAll(StandardCharsets.UTF_8.decode(batch.payload()).toString().lines().toList());
    }
  }

  /** Waits until an appender has taken over and deleted what dead processes left. */
  public static void awaitGone(List<Path> left) {
    Await.until("gone: " + left, () -> left.stream().noneMatch(Files::exists));
  }

  /** Removes the directory of a log that had its spool in a shared place. */
  public static void forget(Path base, Path log) throws IOException {
    SpoolDirectory directory =
        Files.isDirectory(base)
            ? SpoolDirectory.openExisting(new NioDisk(), base, LogIdentity.of(new NioDisk(), log))
            : null;
    if (directory != null) {
      FileTree.delete(directory.path());
    }
  }

  /** What this process has open below a directory. */
  public static List<Path> openFiles(Path base) throws IOException {
    List<Path> open = new ArrayList<>();
    try (Stream<Path> links = Files.list(Path.of("/proc/self/fd"))) {
      for (Path link : links.toList()) {
        try {
          open.add(Files.readSymbolicLink(link));
        } catch (NoSuchFileException e) {
          // closed meanwhile
        }
      }
    }
    return open.stream().filter(file -> file.startsWith(base)).toList();
  }

  /** Bytes of all segments, also of spools in use. */
  public static long segmentBytes(Path base) throws IOException {
    long bytes = 0;
    for (Path spool : spools(base)) {
      try (Stream<Path> files = Files.list(spool)) {
        bytes +=
            files
                .filter(file -> file.toString().endsWith(".seg"))
                .mapToLong(file -> file.toFile().length())
                .sum();
      } catch (NoSuchFileException e) {
        return 0; // as below
      }
    }
    return bytes;
  }

  /** Spools of this log, in use or not; as {@link FileTree#files}. */
  public static List<Path> spools(Path base) throws IOException {
    return FileTree.entries(base).stream()
        .filter(path -> path.getFileName().toString().matches("(spool|flight|lines|new|done)-.*"))
        .toList();
  }
}
