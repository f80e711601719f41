package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.ship.Checkpoint.Anchor;
import dev.forebay.tiered.ship.Checkpoint.State;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Commits what was appended: forces the log, saves the progress in the checkpoint and releases the
 * records from the spool. For the shipper's thread.
 */
final class Committer {

  private static final int ANCHOR_BYTES = 64;

  private final Destination destination;
  private final boolean forces;
  private final ShippingListener listener;
  private Anchor anchor = Anchor.NONE;

  /**
   * @param forces whether records must be on the disk before they are committed
   */
  Committer(Destination destination, boolean forces, ShippingListener listener) {
    this.destination = destination;
    this.forces = forces;
    this.listener = listener;
  }

  /** Remembers the bytes that the log ends with now. */
  void appended(ByteBuffer bytes) {
    int length = Math.min(ANCHOR_BYTES, bytes.limit());
    CRC32C crc = new CRC32C();
    crc.update(bytes.position(bytes.limit() - length));
    anchor = new Anchor(length, (int) crc.getValue());
  }

  /** The log ends with something other than a record. */
  void appendedOther() {
    anchor = Anchor.NONE;
  }

  /** Commits what was appended. Only at a record boundary. */
  void commit(SpoolTransfer transfer) throws IOException {
    force(transfer);
    save(transfer, State.RECORDS);
    transfer.commit(listener);
  }

  /** Commits, and saves that something other than records may follow. */
  void quiesce(SpoolTransfer transfer) throws IOException {
    commit(transfer);
    save(transfer, State.BOUNDARY);
    appendedOther();
  }

  /** Records follow again, after something else. */
  void resume(SpoolTransfer transfer) throws IOException {
    if (transfer.lease().isDurable()) {
      force(transfer); // a checkpoint that survives a power cut must not name bytes that do not
    }
    save(transfer, State.RECORDS);
  }

  /** Forces the log, if that is the policy. */
  private void force(SpoolTransfer transfer) throws IOException {
    if (forces) {
      try {
        destination.force();
      } catch (IOException e) {
        markUnforced(transfer);
        throw e;
      }
    }
  }

  /** Forces a file that is not the active one; there is no later chance. */
  void forceMoved(SpoolTransfer transfer, DiskFile moved) throws IOException {
    if (forces) {
      try {
        moved.force();
      } catch (IOException e) {
        markUnforced(transfer);
        throw e;
      }
    }
  }

  /**
   * After a failed force: the kernel drops the dirty mark of pages it failed to write, so forcing
   * again would succeed and lie. What may not be on disk is written again from the spool.
   */
  private static void markUnforced(SpoolTransfer transfer) throws IOException {
    Checkpoint last = lastOf(transfer);
    if (last != null && last.state() == State.RECORDS) {
      transfer.lease().checkpoint().saveOrRemember(last.unforced());
    }
  }

  /** The checkpoint of a spool's directory, if it is of this spool. */
  private static @Nullable Checkpoint lastOf(SpoolTransfer transfer) {
    Checkpoint last = transfer.lease().checkpoint().newest();
    return last != null && last.names(transfer.instance()) ? last : null;
  }

  /** Whether something was appended that counts only once it is forced. */
  boolean mustForce(SpoolTransfer transfer) {
    return forces && transfer.hasUncommitted();
  }

  /**
   * Forces what was appended last, before {@code end}, without a second attempt; returns whether it
   * is on the disk or need not be.
   */
  boolean forceForGood(SpoolTransfer transfer, Position end) throws IOException {
    if (!mustForce(transfer)) {
      return true;
    }
    Checkpoint last = lastOf(transfer);
    if (last != null && last.state() == State.UNFORCED) {
      return false;
    }
    destination.open();
    if (!destination.position().fileKey().equals(end.fileKey())) {
      return false;
    }
    destination.force();
    return true;
  }

  /** Bytes appended since the last commit of a spool. */
  long uncommittedBytes(SpoolTransfer transfer) {
    Checkpoint last = lastOf(transfer);
    return last == null ? 0 : destination.position().offset() - last.end().offset();
  }

  /** Saves a spool's progress, and what may follow in the log. */
  private void save(SpoolTransfer transfer, State state) throws IOException {
    CheckpointFile file = transfer.lease().checkpoint();
    file.save(
        new Checkpoint(
            state,
            new SpoolPosition(transfer.instance(), transfer.appended()),
            pausedBeside(transfer),
            destination.position(),
            anchor));
  }

  /**
   * The position of another spool that the checkpoint must keep: this spool is begun, or was begun,
   * before that one is finished.
   */
  private static SpoolPosition pausedBeside(SpoolTransfer transfer) throws IOException {
    Checkpoint last = transfer.lease().checkpoint().newest();
    if (last == null) {
      return SpoolPosition.NONE;
    }
    boolean switches = !last.names(transfer.instance());
    if (switches && transfer.lease().directory().holds(last.next().instance())) {
      return last.next();
    }
    return last.paused().isIn(transfer.instance()) ? SpoolPosition.NONE : last.paused();
  }
}
