package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.InstanceId;
import org.jspecify.annotations.Nullable;

/**
 * How far shipping has come: in the log, the bytes before {@link #end} are settled; what stands
 * behind them can only be the records of one spool from {@link #sequence} on, or a part of them.
 *
 * @param state what may stand behind the settled bytes
 * @param instance the spool whose records follow
 * @param sequence its first record that is not settled
 * @param end where the settled bytes end
 * @param anchor the last settled bytes, to tell a reused file from the same one
 */
record Checkpoint(State state, InstanceId instance, long sequence, Position end, Anchor anchor) {

  /** Nothing was ever shipped. */
  static final Checkpoint NONE =
      new Checkpoint(
          State.BOUNDARY, new InstanceId(0, 0), 0, new Position("", 0), new Anchor(0, 0));

  /** What may stand behind the settled bytes. */
  enum State {
    /** Records of the spool. */
    RECORDS(0),
    /** A header or footer being written, or a file being rolled; no records. */
    BOUNDARY(1),
    /** Records that a failed force may have kept from the disk, although they can be read. */
    UNFORCED(2);

    /** In the file, where no number may ever change its meaning. */
    private final short code;

    State(int code) {
      this.code = (short) code;
    }

    short code() {
      return code;
    }

    /** The state of a code; null where there is none. */
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
