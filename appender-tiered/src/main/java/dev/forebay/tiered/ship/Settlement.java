package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.ship.Checkpoint.Anchor;
import dev.forebay.tiered.ship.Checkpoint.State;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Forces the log, and notes in the checkpoint how far it is settled. For the shipper's thread. */
final class Settlement {

  private static final int ANCHOR_BYTES = 64;

  private final Destination destination;
  private final boolean forces;
  private final ShipmentAccount account;

  /** The newest one of the cargo; what is on disk unless the last save failed. */
  private @Nullable Checkpoint checkpoint;

  private Anchor anchor = Anchor.NONE;

  Settlement(Destination destination, boolean forces, ShipmentAccount account) {
    this.destination = destination;
    this.forces = forces;
    this.account = account;
  }

  /** Takes up the checkpoint of a cargo; null when it has none. */
  void begin(@Nullable Checkpoint last) {
    checkpoint = last;
    anchor = Anchor.NONE;
  }

  @Nullable Checkpoint checkpoint() {
    return checkpoint;
  }

  /** Notes what the log ends with from now on. */
  void appended(ByteBuffer bytes) {
    int length = Math.min(ANCHOR_BYTES, bytes.limit());
    CRC32C crc = new CRC32C();
    crc.update(bytes.position(bytes.limit() - length));
    anchor = new Anchor(length, (int) crc.getValue());
  }

  /** The log ends with something that is no record. */
  void appendedOther() {
    anchor = Anchor.NONE;
  }

  /** Forces the log, if that is the policy. */
  void force(Cargo cargo) throws IOException {
    if (forces) {
      try {
        destination.force();
      } catch (IOException e) {
        doubt(cargo);
        throw e;
      }
    }
  }

  /** Forces a file that is not the active one: now or never. */
  void forceMoved(Cargo cargo, DiskFile moved) throws IOException {
    if (forces) {
      try {
        moved.force();
      } catch (IOException e) {
        doubt(cargo);
        throw e;
      }
    }
  }

  /**
   * Whether what was appended last, before {@code end}, is on the disk or need not be; there will
   * be no second attempt.
   */
  boolean forceForGood(Position end) {
    if (!forces) {
      return true;
    }
    Checkpoint last = checkpoint;
    if (last != null && last.state() == State.UNFORCED) {
      return false;
    }
    try {
      destination.open();
      if (!destination.position().fileKey().equals(end.fileKey())) {
        return false;
      }
      destination.force();
      return true;
    } catch (IOException e) {
      account.failed(e);
      return false;
    }
  }

  /**
   * After a failed force: the kernel drops the dirty mark of pages it failed to write, so forcing
   * again would succeed and lie. What is not known to be on disk is written again, from the spool.
   */
  private void doubt(Cargo cargo) throws IOException {
    Checkpoint last = checkpoint;
    if (last != null && last.state() == State.RECORDS) {
      checkpoint =
          new Checkpoint(
              State.UNFORCED, last.instance(), last.sequence(), last.end(), last.anchor());
      cargo.home().checkpoint().save(checkpoint);
    }
  }

  /** Saves how far the cargo is. */
  void save(Cargo cargo, State state) throws IOException {
    Checkpoint next =
        new Checkpoint(
            state, cargo.source().instanceId(), cargo.appended(), destination.position(), anchor);
    cargo.home().checkpoint().save(next);
    checkpoint = next;
  }
}
