package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where records go for good. Every method is called on the shipper's thread and may block as long
 * as the medium does. A method that throws leaves the destination usable: the shipper backs off and
 * calls again.
 *
 * <p>The shipper guarantees that {@link #begin}, {@link #roll} and {@link #end} are called only
 * when every byte appended so far is accounted for in its checkpoint, so that what they write
 * (headers, footers) can never be mistaken for records after a crash.
 */
public interface Destination {

  /** Name for messages: the path of the active file. */
  String name();

  /**
   * Opens the log for appending and writes nothing; creates missing parent directories. Does
   * nothing when open. The first open empties the log if the user asked for that ({@code
   * append=false}).
   */
  void open() throws IOException;

  /** Whether {@link #open} succeeded and {@link #close} has not been called since. */
  boolean isOpen();

  /** Whether the last {@link #open} emptied the log, so that what is missing is so on purpose. */
  boolean wasEmptied();

  /** Where the next byte will go. Only while open. */
  Position position();

  /**
   * Whether the file at the configured path is still the open one and ends where this destination
   * wrote last; false when somebody renamed, removed, truncated or extended it.
   */
  boolean isUndisturbed() throws IOException;

  /**
   * Where others have only appended to the open file, takes the end that they left for its own. To
   * be asked when {@link #isUndisturbed} is false; what is owed behind their bytes is for {@link
   * #begin} to write.
   *
   * @return false where the file was moved, removed or truncated, and nothing was changed here
   */
  boolean followAppends() throws IOException;

  /**
   * Whether the open file was removed, so that nobody can read any more what is in it; may be true
   * where that cannot be found out. To be asked when {@link #isUndisturbed} is false.
   */
  boolean isRemoved();

  /**
   * Appends bytes from the buffer's position on and advances it by what was written.
   *
   * @return bytes written; fewer than remaining is normal when space runs out
   */
  int append(ByteBuffer bytes) throws IOException;

  /** Makes everything appended durable. */
  void force() throws IOException;

  /** Cuts the active file back to {@code offset}. */
  void truncate(long offset) throws IOException;

  /**
   * Cuts a file that is not the active one any more back to a position in it, durably; does nothing
   * where no such file is found.
   */
  void truncateMoved(Position to) throws IOException;

  /**
   * The file a position names, for reading: the active file, or one beside it that the active file
   * was renamed to. The caller closes it.
   *
   * @return null where no such file is found
   */
  @Nullable DiskFile openForReading(Position position) throws IOException;

  /**
   * Writes what is owed before the next record: the encoder's header in a new section, and a line
   * end where others left a torn line. To be called after every open, once everything found in the
   * log is accounted for; harmless to repeat. {@link #append} before it is allowed, to finish a
   * record that is torn.
   */
  void begin() throws IOException;

  /**
   * Whether the user's triggering policy wants a new file before the next record. To be asked
   * between two records; stays true until a {@link #roll} is complete.
   */
  boolean isRollDue();

  /**
   * Bytes that may be appended before {@link #isRollDue} must be asked again; the record that
   * crosses this limit still belongs to the current file. At least 1.
   */
  long bytesUntilRoll();

  /**
   * Of the records to be appended next, how many may be before {@link #isRollDue} must be asked
   * again. A policy that wants to be asked before each record is asked here, as if those before it
   * were appended; so whoever calls this appends as many, and next.
   *
   * @param count records at hand, at least 1
   * @param bytesOf bytes of the first n of them, for n from 1 to {@code count}
   * @return at least 1
   */
  int recordsUntilRoll(int count, IntUnaryOperator bytesOf);

  /**
   * Ends the active file with the encoder's footer and opens the next one with its header; does
   * nothing when no roll is due. When it throws, the log may be closed: {@link #open} and {@link
   * #begin}, or another call of this, complete what is missing.
   */
  void roll() throws IOException;

  /**
   * Writes the encoder's footer if the log is open, and makes the next {@link #close} the last one,
   * which also stops what the destination has started.
   */
  void end() throws IOException;

  /** Closes the file without writing. Never throws; a failure is of no consequence by then. */
  void close();
}
