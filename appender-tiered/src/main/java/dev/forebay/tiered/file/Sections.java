package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.UnreadableException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes what the log contains besides records: headers, footers, and repairs of a file's end after
 * a power cut or a foreign write. For the shipper's thread.
 *
 * <p>A <em>section</em> extends from the encoder's header to its footer. As with Logback's own
 * appenders, a section begins with every file and with every start, even if the file found is not
 * empty, and ends with every roll and at the end of the run. Reopening the same file does not begin
 * a new section.
 *
 * <p>Only the end of a file whose encoder is known to end each event with a line is repaired, since
 * only there it shows whether something is torn: zeros left by a power cut are cut off, and a line
 * is terminated as the encoder does it.
 */
final class Sections {
  private final LogSettings settings;

  private boolean open;

  /** Whether another process may have written the end of the file. */
  private boolean mayEndTorn;

  /** How often the log's end could not be read, or cut back, since the last record. */
  private int unreadable;

  /** Whether another process may be writing right now. */
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

  /** Other processes have appended to the open file. */
  void followed() {
    mayEndTorn = true;
    othersAppend = true;
  }

  /** Whether it can be known that a line is torn. */
  boolean mayRepair() {
    return settings.lineEnd().hasRemaining();
  }

  /** Whether no line is torn before an offset. */
  boolean isWhole(ActiveFile file, long end) throws IOException {
    return end == 0
        || file.endsWith(end, settings.lineEnd())
        || (missing(end) == 0 && file.endsInAscii(end)) // of a log before ours
        || (settings.header().hasRemaining() && file.endsWith(end, settings.header()))
        || (settings.footer().hasRemaining() && file.endsWith(end, settings.footer()));
  }

  /** Writes what is due before the next record: the end of a torn line, then a header. */
  void begin(ActiveFile file) throws IOException {
    ByteBuffer header = settings.header().duplicate();
    ByteBuffer lineEnd = settings.lineEnd().duplicate();
    ByteBuffer owed = ByteBuffer.allocate(2 * lineEnd.remaining() + header.remaining());
    if (mayEndTorn && mayRepair() && isTorn(file)) {
      // A part of a character is completed, or all that follows would be shifted.
      owed.position(missing(file.position())).put(lineEnd);
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
      if (isWhole(file, file.position())) {
        return false;
      }
      // Not if others append: bytes they write meanwhile would be cut off with the zeros.
      return othersAppend || !cutZeros(file);
    } catch (UnreadableException e) {
      if (countUnreadable() < UnreadableException.MAX_ATTEMPTS) {
        throw e;
      }
      return true;
    }
  }

  /**
   * Cuts off zeros at the end, which a power cut leaves if the file was extended but its content
   * was not yet on the disk, but for those of a character or a line end. Whether a whole line is
   * left.
   */
  private boolean cutZeros(ActiveFile file) throws IOException {
    long end = file.endOfContent();
    long most = Math.min(file.position(), end + settings.lineEnd().remaining());
    for (long whole = end; whole <= most; whole++) {
      if (isWhole(file, whole)) {
        file.truncate(whole);
        return true;
      }
    }
    long torn = Math.min(most, end + missing(end));
    if (torn < file.position()) { // a file may only be appended to
      file.truncate(torn);
    }
    return false;
  }

  /** How many bytes a character lacks that an offset is within: in a line end all have as many. */
  private int missing(long end) {
    ByteBuffer lineEnd = settings.lineEnd();
    int characters = 0;
    for (int i = lineEnd.position(); i < lineEnd.limit(); i++) {
      characters += lineEnd.get(i) == 0 ? 0 : 1;
    }
    return (int) Math.floorMod(-end, (long) lineEnd.remaining() / characters);
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
