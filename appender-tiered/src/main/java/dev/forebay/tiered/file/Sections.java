package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.UnreadableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes what the log contains besides records: headers, footers, and repairs of a file's end after
 * a power cut or after others wrote to it. For the shipper's thread.
 *
 * <p>A <em>section</em> extends from the encoder's header to its footer. As with Logback's own
 * appenders, a section begins with every file and with every start, even if the file found is not
 * empty, and ends with every roll and at the end of the run. Reopening the same file does not begin
 * a new section.
 *
 * <p>Only the end of a text file is repaired: zeros left by a power cut are cut off, and a line
 * that may be torn is terminated.
 */
final class Sections {
  private static final byte[] LINE_END = System.lineSeparator().getBytes(StandardCharsets.US_ASCII);

  private final LogSettings settings;

  private boolean open;

  /** Whether others may have written the end of the file. */
  private boolean mayEndTorn;

  /** How often the log's end could not be read, or cut back, since the last record. */
  private int unreadable;

  /** Whether others may be writing right now. */
  private boolean othersAppend;

  Sections(LogSettings settings) {
    this.settings = settings;
  }

  /** A file was opened: perhaps the one closed before, perhaps with the same end. */
  void found(boolean same, boolean untouched) {
    open &= same;
    mayEndTorn |= !untouched;
  }

  /** The open file could not be cut back. */
  void mayEndTorn() {
    mayEndTorn = true;
  }

  /** Counts a failure to read the log's end, or to cut it back; returns how many there were. */
  int countUnreadable() {
    return ++unreadable;
  }

  /** A record was appended. */
  void worked() {
    unreadable = 0;
  }

  /** Others have appended to the open file. */
  void followed() {
    mayEndTorn = true;
    othersAppend = true;
  }

  /** Whether a torn line in this file is terminated. */
  boolean repairs(ActiveFile file) throws IOException {
    return settings.text() || file.looksLikeText();
  }

  /** Writes what is due before the next record: the end of a torn line, then a header. */
  void begin(ActiveFile file) throws IOException {
    ByteBuffer header = settings.header().duplicate();
    ByteBuffer owed = ByteBuffer.allocate(LINE_END.length + header.remaining());
    if (mayEndTorn && isTorn(file)) {
      owed.put(LINE_END);
    }
    if (!open) {
      owed.put(header);
    }
    file.writeWhole(owed.flip(), false);
    mayEndTorn = false;
    othersAppend = false;
    open = true;
  }

  /**
   * Whether the file, without zeros of a power cut, ends within a line; so it may if unreadable.
   */
  private boolean isTorn(ActiveFile file) throws IOException {
    try {
      boolean repairs = repairs(file);
      // Not if others append: bytes they write in the meantime would be cut off with the zeros.
      if (repairs && !othersAppend) {
        file.cutZeros();
      }
      return repairs && !file.endsWithLine(file.position());
    } catch (UnreadableException e) {
      if (countUnreadable() < UnreadableException.MAX_ATTEMPTS) {
        throw e;
      }
      return settings.text();
    }
  }

  /** Writes the footer, if a section is open. */
  void end(ActiveFile file) throws IOException {
    ByteBuffer footer = settings.footer().duplicate();
    if (open && footer.hasRemaining()) {
      // Forced here, since these bytes follow the file's last checkpoint.
      file.writeWhole(footer, true);
    }
    open = false;
  }
}
