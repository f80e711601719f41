package dev.forebay.tiered.identity;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A note in a spool about its log, so that other processes know where its lines belong when that
 * log is no longer written. Nothing in it is ever used as a path.
 *
 * @param directoryKey the log's directory, as {@link LogIdentity#directoryKey}
 * @param fileName the log's name in it
 * @param path the configured path, for messages
 * @param hasAttributes whether records begin with attributes of the event
 */
public record LogNote(String directoryKey, String fileName, String path, boolean hasAttributes) {

  public static final String NAME = "log";

  private static final String FIRST_LINE = "forebay 1";
  private static final String WITH_ATTRIBUTES = FIRST_LINE + " attributes";
  private static final int LINES = 4;
  private static final int MAX_BYTES = 16 * 1024;

  /** Writes it into a new spool if possible: needed only if its log is no longer written. */
  public static void write(Disk disk, Path spool, LogIdentity log) {
    String text =
        String.join(
            "\n",
            log.hasAttributes() ? WITH_ATTRIBUTES : FIRST_LINE,
            log.directoryKey(),
            log.fileName(),
            log.path().toString(),
            "");
    try (DiskFile file = disk.open(spool.resolve(NAME), Disk.Mode.CREATE_PRIVATE)) {
      file.writeFully(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
    } catch (IOException e) {
      // Ignored: an incomplete note is not read.
    }
  }

  /** Reads the note of a spool; null if there is no complete one of ours. */
  public static @Nullable LogNote read(Disk disk, Path spool) {
    String text = text(disk, spool.resolve(NAME));
    return text == null ? null : parse(text);
  }

  /** The text of a note; null if there is none, or it is not ours alone or cannot be read. */
  static @Nullable String text(Disk disk, Path path) {
    try {
      FileInfo info = disk.stat(path);
      if (info == null
          || info.sizeBytes() > MAX_BYTES
          || Trust.fileFault(disk, path, info) != null) {
        return null;
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) info.sizeBytes());
      try (DiskFile file = disk.open(path, Disk.Mode.READ)) {
        boolean unused = file.readFully(bytes, 0);
      }
      return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    } catch (IOException e) {
      return null;
    }
  }

  private static @Nullable LogNote parse(String text) {
    String[] lines = text.split("\n", -1);
    boolean isWhole = lines.length == LINES + 1 && lines[LINES].isEmpty();
    boolean hasAttributes = lines[0].equals(WITH_ATTRIBUTES);
    return isWhole && (hasAttributes || lines[0].equals(FIRST_LINE))
        ? new LogNote(lines[1], lines[2], lines[3], hasAttributes)
        : null;
  }

  /** Whether the log is a single file, of a plain name, in the directory of this one. */
  public boolean isBeside(LogIdentity log) {
    return directoryKey.equals(log.directoryKey())
        && !path.contains("%") // a pattern
        && !fileName.isEmpty()
        && !fileName.equals(".")
        && !fileName.equals("..")
        && fileName.indexOf('/') < 0
        && fileName.indexOf('\\') < 0
        && fileName.chars().noneMatch(c -> Character.isISOControl(c) || c == '\uFFFD');
  }
}
