package dev.forebay.tiered.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What the log has beside records: headers, footers, and the mended end of a file that others or a
 * power cut left. For the shipper's thread.
 *
 * <p>A <em>section</em> is what lies between the encoder's header and its footer. As with Logback's
 * own appenders, one begins with every file and with every start, also when the file that is found
 * is not empty, and one ends with every roll and at the end of the run. Reopening the file that was
 * open before does not begin a new one.
 *
 * <p>The end of a file is mended only in a file of text: zeros that a power cut left are cut off,
 * and a line that may be torn is ended.
 */
final class Sections {
  private static final byte[] LINE_END = System.lineSeparator().getBytes(StandardCharsets.US_ASCII);

  private final LogSettings settings;
  private final Roller roller;

  private boolean open;

  /** Whether the end of the file may be of somebody else's making. */
  private boolean mayEndTorn;

  /** Whether that somebody else may be writing at this moment. */
  private boolean othersAppend;

  Sections(LogSettings settings, Roller roller) {
    this.settings = settings;
    this.roller = roller;
  }

  /**
   * A file was opened.
   *
   * @param same whether it is the one that was closed before
   * @param untouched whether it also ends where it was left
   */
  void found(boolean same, boolean untouched) {
    open &= same;
    mayEndTorn |= !untouched;
  }

  /** Others have appended to the open file. */
  void followed() {
    mayEndTorn = true;
    othersAppend = true;
  }

  /** The next file begins with a new section, whatever it is. */
  void forget() {
    open = false;
  }

  /** Whether a torn line in this file is ended. */
  boolean mends(ActiveFile file) throws IOException {
    return settings.text() || file.looksLikeText();
  }

  /** Writes what is owed before the next record: the end of a torn line, then a header. */
  void begin(ActiveFile file) throws IOException {
    boolean mends = mayEndTorn && mends(file);
    // Not where others append: what they write meanwhile would be cut off with the zeros.
    long zeros = mends && !othersAppend ? file.cutZeros() : 0;
    roller.changedBy(-zeros);
    ByteBuffer header = open ? ByteBuffer.allocate(0) : settings.header();
    ByteBuffer owed = ByteBuffer.allocate(LINE_END.length + header.remaining());
    if (mends && !file.endsWithLine(file.position())) {
      owed.put(LINE_END);
    }
    writeWhole(file, owed.put(header).flip(), false);
    mayEndTorn = false;
    othersAppend = false;
    open = true;
  }

  /** Writes the footer, where a section is open. */
  void end(ActiveFile file) throws IOException {
    ByteBuffer footer = settings.footer();
    if (open && footer.hasRemaining()) {
      // Nobody forces these bytes after us: they follow the last checkpoint of the file.
      writeWhole(file, footer, true);
    }
    open = false;
  }

  private void writeWhole(ActiveFile file, ByteBuffer bytes, boolean durable) throws IOException {
    int length = bytes.remaining();
    file.writeWhole(bytes, durable);
    roller.changedBy(length);
  }
}
