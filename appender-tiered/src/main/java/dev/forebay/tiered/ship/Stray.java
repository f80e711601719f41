package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.identity.LogNote;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLease;
import dev.forebay.tiered.spool.SpoolNames;
import dev.forebay.tiered.spool.SpoolReadException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A directory with spools of a log other than ours, inspected one spool at a time: there may be
 * thousands. For the shipper's thread.
 */
public final class Stray implements Closeable {

  final SpoolDirectory directory;

  /** Whether full spools overflow to it. */
  final boolean isOverflow;

  private final ShipLease lease;

  /** Spools not inspected yet; null before the first step. */
  private @Nullable Queue<Path> spools;

  /** Which log it is for, once {@link #note()} has found that out. */
  @Nullable LogNote note;

  /** Whether something was found that has to be shipped. */
  boolean isLeft;

  /** Whether another process was shipping from it at the last look. */
  boolean isShipped;

  /** The newest spool that could not be inspected, and why; null if there was none. */
  @Nullable String fault;

  /** Records that were deleted unshipped. */
  long deleted;

  /** Nothing is read before the first step. */
  Stray(SpoolDirectory directory, boolean forces, boolean isOverflow) {
    this.directory = directory;
    this.isOverflow = isOverflow;
    this.lease = new ShipLease(directory, forces);
  }

  /** Deletes all that dead processes left but loops; returns how many records were not shipped. */
  public static long discard(SpoolDirectory directory) throws IOException {
    try (Stray all = new Stray(directory, true, false)) {
      while (all.inspect(0, Long.MIN_VALUE)) {
        // deletes one after another
      }
      if (all.fault != null) {
        throw new IOException("cannot discard " + all.fault);
      }
      return all.deleted;
    }
  }

  boolean isOfSameLog(Stray other) {
    return Objects.equals(directory.path().getFileName(), other.directory.path().getFileName());
  }

  /** Which log it is for; null if none of its spools says so. */
  @Nullable LogNote note() throws IOException {
    if (note == null) {
      note = directory.note();
    }
    return note;
  }

  /**
   * Inspects the next spool: deletes it if nothing in it is left to ship, or if it was last written
   * longer ago than the limit. False at the end, or if another process ships them.
   */
  boolean inspect(long nowMs, long limitAgeMs) throws IOException {
    isShipped = !lease.take(true, false);
    if (isShipped) {
      return false;
    }
    Queue<Path> left = spools;
    if (left == null) {
      if (lease.isGone()) {
        return false;
      }
      directory.cleanUp(nowMs);
      left = new ArrayDeque<>(directory.list(SpoolNames.SPOOL));
      left.addAll(directory.list(SpoolNames.LINES));
      spools = left;
    }
    Path next = left.poll();
    if (next == null) {
      return false; // still locked: close() may remove the directory
    }
    try {
      inspect(next, nowMs, limitAgeMs);
    } catch (IOException e) { // the next one may be fine
      fault = next + ": " + e;
    }
    lease.release();
    return true;
  }

  private void inspect(Path spool, long nowMs, long limitAgeMs) throws IOException {
    Disk disk = directory.disk();
    long writtenMs = SpoolLease.lastWrittenMs(disk, spool);
    boolean isTooOld = disk.isOlder(spool, writtenMs, nowMs, limitAgeMs);
    if (!SpoolNames.isSpool(spool)) {
      isLeft |= !isTooOld; // only its shipper knows its content
      if (isTooOld) { // silently: each JVM with the agent leaves what it writes as it ends
        directory.delete(spool);
      }
      return;
    }
    try (RecordSource orphan = directory.adopt(spool)) {
      if (orphan == null) {
        return;
      }
      long left = unshipped(orphan);
      if (left > 0 && !isTooOld) {
        isLeft = true;
        return;
      }
      orphan.discard();
      deleted += left;
    }
  }

  private long unshipped(RecordSource orphan) throws IOException {
    long shipped = lease.progress.position(orphan.instanceId()).sequence();
    orphan.seek(shipped);
    try {
      return Math.max(0, orphan.limitSequence() - shipped);
    } catch (SpoolReadException e) {
      return 1; // at least
    }
  }

  /** Ends the use and removes the directory if it is no longer needed. */
  @Override
  public void close() {
    lease.close();
  }
}
