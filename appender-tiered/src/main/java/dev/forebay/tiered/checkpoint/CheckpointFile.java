package dev.forebay.tiered.checkpoint;

import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.identity.ShipperNote;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint on disk: two slots written alternately, so that a torn write leaves the other one
 * intact. The valid slot with the higher generation counts. For the shipper's thread only.
 */
public final class CheckpointFile implements Closeable {

  public static final String NAME = "checkpoint";

  /** The fault of a file that another version wrote. */
  static final String OTHER_FORMAT = "is in another format";

  public static final int SLOT_BYTES = Checkpoint.BYTES;

  static final String UNFINISHED = "-new";

  private static final InstanceId NOBODY = SpoolPosition.NONE.instance();

  private final Disk disk;
  private final Path path;

  /** Whether spools survive a power cut here; then each save is forced. */
  public final boolean durable;

  private final ByteBuffer slot = Checkpoint.buffer();

  private @Nullable DiskFile file;

  /** The identity of the file whose name a power cut cannot take; "" if that is unknown. */
  private String forcedKey = "";

  /** The fault found in place of a checkpoint, until {@link #reserve}. */
  private @Nullable String fault;

  /** The checkpoint that counts, and its number; kept even if the file is lost. */
  private @Nullable Checkpoint newest;

  private long generation;

  /** Forces each save if {@code forces} and the directory survives a power cut. */
  public CheckpointFile(SpoolDirectory directory, boolean forces) {
    this(
        directory.disk(),
        directory.path().resolve(NAME),
        forces && !directory.disk().isInMemory(directory.path()));
  }

  public CheckpointFile(Disk disk, Path path, boolean durable) {
    this.disk = disk;
    this.path = path;
    this.durable = durable;
  }

  /** The first record of a spool that is not final. */
  public SpoolPosition position(InstanceId spool) throws IOException {
    Checkpoint last = load();
    return last == null ? SpoolPosition.beginOf(spool) : last.position(spool);
  }

  /** The spool copied last; null if that is unknown. */
  public @Nullable InstanceId last() throws IOException {
    Checkpoint last = load();
    return last == null || last.names(NOBODY) ? null : last.next().instance();
  }

  /**
   * The place of a spool among those of all directories: 0 if the destination may end with its
   * records, so that nothing may come between; otherwise more.
   */
  public int rank(InstanceId spool) {
    Checkpoint last = newestOf(spool);
    return last == null ? 2 : last.state() == Checkpoint.State.BOUNDARY ? 1 : 0;
  }

  /** Whether the checkpoint has a position of it. */
  public boolean isNamed(InstanceId spool) {
    return newest != null && (newest.names(spool) || newest.paused().isIn(spool));
  }

  /** Whether a save for a spool keeps the positions of all that are not completely shipped. */
  public boolean hasRoomFor(InstanceId spool, SpoolDirectory directory) throws IOException {
    Checkpoint last = newest;
    return last == null
        || last.names(spool)
        || last.paused().isIn(spool)
        || last.paused().isIn(NOBODY)
        || !directory.holds(last.paused().instance())
        || !directory.holds(last.next().instance());
  }

  /** Names of its files and of those of who ships, which are useless without spools. */
  public static Set<String> files() {
    return Set.of(
        NAME, NAME + UNFINISHED, SpoolNames.NEXT_LOCK, SpoolNames.SLOT_LOCK, ShipperNote.NAME);
  }

  /** The checkpoint last loaded or saved, if it is of this spool. */
  public @Nullable Checkpoint newestOf(InstanceId spool) {
    return newest != null && newest.names(spool) ? newest : null;
  }

  /** The next save must count as newer than what other processes have saved. */
  public void reload() throws IOException {
    Checkpoint before = newest;
    long saved = generation;
    newest = null;
    generation = 0;
    close();
    load();
    if (before != null && before.state() == Checkpoint.State.UNFORCED && generation == saved) {
      newest = before; // nobody has saved since, and that could not be saved still holds
    }
  }

  /** Goes by the file if it is newer: a save that failed has taken effect for who reads that. */
  public void catchUp() throws IOException {
    CheckpointView found = stat() == null ? null : CheckpointView.of(opened());
    if (found != null && found.generation() > generation) {
      newest = found.newest();
      generation = found.generation();
    }
  }

  /**
   * The checkpoint that counts; null if it is missing, damaged or not ours. Unless it is known,
   * reads the file: what a failed save left there counts only then.
   */
  public @Nullable Checkpoint load() throws IOException {
    if (newest != null || stat() == null) {
      return newest;
    }
    CheckpointView found = CheckpointView.of(opened());
    newest = found.newest();
    generation = found.generation();
    if (found.fault() != null) {
      close();
      remove(found.fault(), found.fault().equals(OTHER_FORMAT));
    }
    return newest;
  }

  /**
   * The file's attributes; null if it is missing. A file that is not ours is moved away, never read
   * or written: it would keep everything in the spools forever.
   */
  private @Nullable FileInfo stat() throws IOException {
    FileInfo info = disk.stat(path);
    String found = info == null ? null : Trust.fileFault(disk, path, info);
    if (info == null || found == null) {
      return info;
    }
    remove(found, info.kind() == FileInfo.Kind.FILE);
    return null;
  }

  private void remove(String found, boolean mayBeOfUse) throws IOException {
    fault = found;
    try {
      if (!mayBeOfUse) {
        disk.delete(path);
        return;
      }
    } catch (DirectoryNotEmptyException e) {
      // The moved file is kept: its content may be of use.
    }
    disk.move(path, SpoolNames.aside(path));
  }

  /**
   * Saves how far the records of a spool in a directory are at the destination, what may follow
   * there, and the position of another spool if this one is or was begun before that is finished.
   */
  public void save(
      SpoolPosition next,
      SpoolDirectory directory,
      Checkpoint.State state,
      Checkpoint.Position end,
      Checkpoint.Anchor anchor)
      throws IOException {
    SpoolPosition paused = newest == null ? SpoolPosition.NONE : newest.paused();
    if (newest != null
        && !newest.names(next.instance())
        && !newest.names(NOBODY)
        && directory.holds(newest.next().instance())) {
      paused = newest.next();
    } else if (paused.isIn(next.instance())) {
      paused = SpoolPosition.NONE;
    }
    save(new Checkpoint(state, next, paused, end, anchor));
  }

  /** Replaces the older slot. If this throws, the newer one still counts. */
  public void save(Checkpoint checkpoint) throws IOException {
    checkpoint.encode(slot, generation + 1);
    DiskFile opened = opened();
    opened.writeFully(slot, (generation + 1) % 2 * SLOT_BYTES);
    if (durable) {
      opened.force();
    }
    generation++;
    newest = checkpoint;
  }

  /**
   * After a failed force: the kernel drops the dirty mark of pages it failed to write, so forcing
   * again would succeed and lie. What may not be on disk is written again from the spool, by this
   * process even if this throws.
   */
  public void markUnforced(InstanceId spool) throws IOException {
    Checkpoint last = newestOf(spool);
    if (last != null && last.state() == Checkpoint.State.RECORDS) {
      newest = last.unforced();
      save(newest);
    }
  }

  /**
   * Allocates the space of both slots early. Otherwise a spool that fills its file system before
   * the first save would leave no space to record progress, and so would never be emptied. A
   * missing file is no fault.
   */
  public @Nullable String reserve() {
    try {
      if (stat() == null) {
        create();
      }
    } catch (IOException e) {
      // The first save reports the failure.
    }
    String found = fault;
    fault = null;
    return found == null ? null : "The checkpoint " + path + " " + found;
  }

  /**
   * Creates a file that says nothing was shipped, under another name until it is complete: so a
   * file without a valid slot is always a damaged one.
   */
  private void create() throws IOException {
    Path unfinished = path.resolveSibling(path.getFileName() + UNFINISHED);
    disk.delete(unfinished);
    Checkpoint.NONE.encode(slot, 1);
    try (DiskFile fresh = disk.open(unfinished, Disk.Mode.CREATE_PRIVATE)) {
      fresh.writeFully(ByteBuffer.allocate(SLOT_BYTES), 0);
      fresh.writeFully(slot, SLOT_BYTES);
    }
    disk.move(unfinished, path);
    if (newest == null) { // else the file was lost
      newest = Checkpoint.NONE;
      generation = 1;
    }
    forcedKey = "";
    close(); // a deleted file may still be open
  }

  private DiskFile opened() throws IOException {
    if (file == null) {
      FileInfo info = stat();
      String key = info == null ? "" : info.key();
      DiskFile opened = disk.open(path, info == null ? Disk.Mode.CREATE_PRIVATE : Disk.Mode.UPDATE);
      file = opened;
      if (durable && (info == null || !key.equals(forcedKey))) {
        try {
          disk.forceDirectory(path.resolveSibling(""));
        } catch (IOException e) {
          close(); // forced when it is reopened
          throw e;
        }
        forcedKey = key;
      }
      return opened;
    }
    return file;
  }

  @Override
  public void close() {
    DiskFile.closeQuietly(file); // every save has been written by then
    file = null;
  }
}
