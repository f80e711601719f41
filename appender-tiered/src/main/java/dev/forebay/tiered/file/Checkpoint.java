package dev.forebay.tiered.file;

import dev.forebay.tiered.spool.InstanceId;
import org.jspecify.annotations.Nullable;

/**
 * The progress of shipping: in the log, the bytes before {@link #end} are committed. After them
 * there can only be records of one spool from {@link #next} on, or a part of them.
 *
 * @param state what may follow the committed bytes
 * @param next the first uncommitted record of the spool being shipped
 * @param paused the same for the spool that was suspended in favor of that one; {@link
 *     SpoolPosition#NONE} if none was
 * @param end where the committed bytes end
 * @param anchor the last committed bytes, to distinguish the same file from a reused one
 */
record Checkpoint(
    State state, SpoolPosition next, SpoolPosition paused, Position end, Anchor anchor) {

  /** Nothing was ever shipped. */
  static final Checkpoint NONE =
      new Checkpoint(
          State.BOUNDARY, SpoolPosition.NONE, SpoolPosition.NONE, new Position("", 0), Anchor.NONE);

  /** This checkpoint in another file. */
  Checkpoint movedTo(String fileKey) {
    return new Checkpoint(state, next, paused, new Position(fileKey, end.offset()), anchor);
  }

  /** Whether this is the spool being shipped. */
  boolean names(InstanceId spool) {
    return next.isIn(spool);
  }

  /** The first uncommitted record of a spool. */
  long firstUncommitted(InstanceId spool) {
    if (names(spool)) {
      return next.sequence();
    }
    return paused.isIn(spool) ? paused.sequence() : 0;
  }

  /** This checkpoint after a failed force, which may have kept the records from the disk. */
  Checkpoint unforced() {
    return new Checkpoint(State.UNFORCED, next, paused, end, anchor);
  }

  /** What may follow the committed bytes. */
  enum State {
    /** Records of the spool. */
    RECORDS(0),
    /** A header or footer being written, or a file being rolled; no records. */
    BOUNDARY(1),
    /** Records that a failed force may have kept from the disk, although they can be read. */
    UNFORCED(2);

    /** The number in the file; its meaning must never change. */
    private final short code;

    State(int code) {
      this.code = (short) code;
    }

    short code() {
      return code;
    }

    /** The state of a code; null if there is none. */
    static @Nullable State of(short code) {
      for (State state : values()) {
        if (state.code == code) {
          return state;
        }
      }
      return null;
    }
  }

  /**
   * A check on the last bytes before the end.
   *
   * @param length how many bytes; 0 when they are not known
   * @param crc their CRC32C
   */
  record Anchor(int length, int crc) {

    /** Not known. */
    static final Anchor NONE = new Anchor(0, 0);
  }
}
