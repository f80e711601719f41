package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The final place of records. Every method is called on the shipper's thread and may block as long
 * as the medium does. A method that throws leaves the destination usable: the shipper backs off and
 * calls again.
 *
 * <p>The shipper guarantees that {@link #begin}, {@link #roll} and {@link #end} are called only
 * when every byte appended so far is accounted for in its checkpoint, so that what they write
 * (headers, footers) can never be mistaken for records after a crash.
 */
interface LogFile {

  /** Name for messages: the path of the active file. */
  String name();

  /**
   * Opens the log for appending and writes nothing; creates missing parent directories. Does
   * nothing when open. The first open empties the log if the user asked for that ({@code
   * append=false}).
   */
  void open() throws IOException;

  /** Whether the last {@link #open} emptied the log, so that missing bytes are intended. */
  boolean wasEmptied();

  /** Where the next byte will go. Only while open. */
  Position position();

  /**
   * Whether the file at the configured path is still the open one and ends where this destination
   * wrote last; false if others renamed, removed, truncated or extended it.
   */
  boolean isUndisturbed() throws IOException;

  /**
   * If others have only appended to the open file, continues at its new end. To be called when
   * {@link #isUndisturbed} is false; {@link #begin} then writes what is due after their bytes.
   *
   * @return false if the file was moved, removed or truncated; then nothing was changed here
   */
  boolean followAppends() throws IOException;

  /**
   * Whether the open file was removed, so that its content can no longer be read; may be true if
   * that is unknown. To be called when {@link #isUndisturbed} is false.
   */
  boolean isRemoved();

  /**
   * Appends bytes from the buffer's position on and advances it by the bytes written.
   *
   * @return bytes written; fewer than remaining is normal when space runs out
   */
  int append(ByteBuffer bytes) throws IOException;

  /**
   * How long this destination needs no attention, while nothing is appended: until {@link
   * #isRollDue} must be asked.
   *
   * @param nowMs milliseconds since the epoch
   * @return nanoseconds; 0 if something is to be completed, {@link Long#MAX_VALUE} if only a record
   *     can make it due
   */
  default long settledForNs(long nowMs) {
    return Long.MAX_VALUE;
  }

  /** Makes everything appended durable. */
  void force() throws IOException;

  /**
   * Cuts the active file, or durably a former one, back to a position in it; does nothing if no
   * such file is found.
   */
  void truncate(Position to) throws IOException;

  /**
   * The file a position names, for reading: the active file, or one next to it that the active file
   * was renamed to. The caller closes it.
   *
   * @return null if no such file is found
   */
  @Nullable DiskFile openForReading(Position position) throws IOException;

  /**
   * Writes what is due before the next record: the encoder's header in a new section, and a line
   * end if others left a torn line. To be called after every open, once everything found in the log
   * is accounted for; harmless to repeat. {@link #append} may come first, to complete a torn
   * record.
   */
  void begin() throws IOException;

  /**
   * Whether the user's triggering policy wants a new file before the next record. To be called
   * between two records; stays true until the policy was asked to {@link #roll} and the next file
   * is open.
   */
  boolean isRollDue();

  /** Called instead of {@link #isRollDue} while the file has no record and none waits. */
  default void rollIsNeedless() {}

  /**
   * Bytes that may be appended before {@link #isRollDue} must be called again; the record that
   * crosses this limit still belongs to the current file. At least 1.
   */
  long bytesUntilRoll();

  /**
   * Ends the active file with the encoder's footer and opens the next one with its header; does
   * nothing if no roll is due. If it throws, the log may be closed: {@link #open} and {@link
   * #begin} complete the roll, unless {@link #isRollDue} still.
   */
  void roll() throws IOException;

  /** Writes the encoder's footer if the log is open. */
  void end() throws IOException;

  /** Closes the file without writing. Never throws: a failure has no consequences by then. */
  void close();

  /** Closes it for the last time, and stops what was started. */
  default void stop() {
    close();
  }
}
