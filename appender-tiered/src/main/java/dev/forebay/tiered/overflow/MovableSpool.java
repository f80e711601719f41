package dev.forebay.tiered.overflow;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLease;
import dev.forebay.tiered.spool.SpoolLock;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A spool of ours that another thread may move to another directory, once nothing is added and
 * until the shipper claims it.
 *
 * <p>The thread that changes {@link State#HERE} decides: the shipper reads it where it is, or the
 * mover publishes its copy and deletes it. While both exist, neither is read.
 */
public final class MovableSpool implements OwnSpool {

  /** Only {@link #HERE} is left by more than one thread. */
  private enum State {
    HERE,
    CLAIMED,
    /** Set and ended by the mover's thread only. */
    MOVING,
    /** Being moved, and the shipper has closed its spools: the mover closes this one. */
    LEFT,
    MOVED
  }

  private final AtomicReference<State> state = new AtomicReference<>(State.HERE);

  /** The spool; null once it is moved, to free the writer's memory. Set by the mover. */
  private volatile @Nullable Spool here;

  private volatile RecordSource source;
  private volatile long publishedSequence;
  private volatile @Nullable SpoolDirectory movedTo;

  /** What the mover has published, until it has deleted what it was copied from. */
  private @Nullable SpoolCopy published;

  public MovableSpool(Spool spool) {
    this.here = spool;
    this.source = spool.source();
  }

  @Override
  public boolean claim() {
    return state.compareAndSet(State.HERE, State.CLAIMED) || isOver();
  }

  /** Deletes copies in a directory that were never published, unless their process lives. */
  public static void cleanUp(SpoolDirectory directory) throws IOException {
    Disk disk = directory.disk();
    for (Path entry : disk.list(directory.path())) {
      if (SpoolNames.of(entry).startsWith(SpoolNames.NEW)) {
        try (SpoolLock lock = SpoolLock.tryTake(disk, SpoolNames.lock(entry))) {
          if (lock != null) {
            SpoolLease.deleteDirectory(disk, entry);
          }
        } catch (IOException e) {
          directory.warnings.add("cannot delete " + entry + ": " + e);
        }
      }
    }
  }

  /** Whether the spool is for this log: a log may have another name while its disk hangs. */
  public boolean isOf(LogIdentity log) {
    Spool spool = here;
    return spool != null && spool.directory().isOf(log);
  }

  private boolean isHere() {
    return state.get() == State.HERE;
  }

  /** Whether the shipper has claimed it, or it is moved. */
  public boolean isOver() {
    State now = state.get();
    return now == State.CLAIMED || now == State.MOVED;
  }

  /** For the mover, like the next: whether it has begun a move that cannot be undone. */
  public boolean isMoving() {
    return published != null;
  }

  /**
   * Moves it, unless the shipper claims it meanwhile. If this throws and it {@link #isMoving}, it
   * is to be called again.
   *
   * @param isWanted asked before each write
   * @return whether it is moved
   */
  public boolean moveTo(SpoolDirectory to, BooleanSupplier isWanted) throws IOException {
    Spool spool = here;
    if (spool == null) {
      return false;
    }
    try {
      if (published == null && !publishCopy(spool, to, isWanted)) {
        return false;
      }
    } catch (IOException e) {
      if (isOver()) {
        return false; // the shipper deletes what it has shipped
      }
      throw e;
    }
    SpoolCopy copy = published;
    if (copy == null) {
      return false;
    }
    if (!copy.isThere()) { // never published, or removed by another process
      published = null;
      takeBack(spool);
      copy.close();
      return false;
    }
    long limit = spool.publishedSequence();
    RecordSource moved = copy.source(limit);
    spool.discard();
    publishedSequence = limit;
    source = moved;
    movedTo = to;
    here = null;
    published = null;
    if (!state.compareAndSet(State.MOVING, State.MOVED)) {
      moved.close();
    }
    return true;
  }

  private boolean publishCopy(Spool spool, SpoolDirectory to, BooleanSupplier isWanted)
      throws IOException {
    try (SpoolCopy copy = new SpoolCopy(spool, to)) {
      if (!copy.write(() -> isHere() && isWanted.getAsBoolean())
          || !state.compareAndSet(State.HERE, State.MOVING)) {
        return false;
      }
      try {
        copy.publish();
      } finally { // an Error perhaps
        if (copy.isPublished()) {
          published = copy;
        } else {
          takeBack(spool);
        }
      }
    }
    return true;
  }

  private void takeBack(Spool spool) {
    if (!state.compareAndSet(State.MOVING, State.HERE)) {
      spool.close();
    }
  }

  /** The mover moves nothing more: leaves both to the next start, which deletes one of them. */
  public void leaveMove() {
    SpoolCopy copy = published;
    Spool spool = here;
    if (copy != null && spool != null) {
      published = null;
      spool.close();
      copy.release();
    }
  }

  @Override
  public @Nullable SpoolDirectory movedTo() {
    return movedTo;
  }

  @Override
  public RecordSource source() {
    return source;
  }

  @Override
  public long publishedSequence() {
    Spool spool = here;
    return spool == null ? publishedSequence : spool.publishedSequence();
  }

  @Override
  public long nextSequence() {
    Spool spool = here;
    return spool == null ? publishedSequence : spool.nextSequence();
  }

  @Override
  public long usedBytes() {
    Spool spool = here;
    return spool == null ? 0 : spool.usedBytes();
  }

  @Override
  public long limitBytes() {
    Spool spool = here;
    return spool == null ? 0 : spool.limitBytes();
  }

  /** Leaves the spool to the next start; while it is being moved, its mover does so afterwards. */
  @Override
  public void close() {
    while (!claim()) {
      if (state.compareAndSet(State.MOVING, State.LEFT) || state.get() == State.LEFT) {
        return;
      }
    }
    source.close();
  }
}
