package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.Trust;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.identity.LogNote;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The directory that holds the spools of one log file, of all processes that write to it.
 *
 * <p>Safe for any thread. Only the holder of the {@link #tryShipLock ship lock} may call {@link
 * #orphans} and {@link #cleanUp}.
 */
public final class SpoolDirectory {
  /** Another process may take a new spool for an orphan before it is locked; then retry. */
  private static final int CREATE_ATTEMPTS = 3;

  /** After this time, no process is expected to ship what a dead process left. */
  public static final long LIMIT_AGE_MS = 7L * 24 * 60 * 60 * 1000;

  /** Spools taken over at a time: each has a file open, and one that is read has two. */
  public static final int MAX_TAKEN = 16;

  private final Disk disk;
  private final Path path;

  /** Null if the directory was found, not opened for a log. */
  private final @Nullable LogIdentity log;

  private final SpoolEntries entries;

  public final Warnings warnings; // of problems found and worked around

  /** The ship lock, taken before a spool is created here. For the shipper's thread. */
  public @Nullable SpoolLock claim;

  private volatile long leastCounter;

  /** The spool created last. */
  private volatile @Nullable SpoolLease created;

  private SpoolDirectory(Disk disk, Path path, @Nullable LogIdentity log, Warnings warnings) {
    this.disk = disk;
    this.path = path;
    this.log = log;
    this.warnings = warnings;
    this.entries = new SpoolEntries(disk, path, warnings);
  }

  /**
   * Finds or creates the directory below {@code base}. Directories are created with mode 0700; an
   * existing one is used only if it is a real directory of this user with that mode. Otherwise
   * another name is taken, with a {@link #takeWarnings warning}.
   *
   * @param base an existing directory, on tmpfs if possible, of this user or of root
   * @throws IOException when it cannot hold a spool; says what was found and what is required
   */
  public static SpoolDirectory open(Disk disk, Path base, LogIdentity log) throws IOException {
    Warnings warnings = new Warnings();
    Path own = UserDirectory.choose(disk, base, warnings);
    Path path = own.resolve(log.key());
    String fault;
    try {
      fault = UserDirectory.claim(disk, path);
    } catch (IOException e) {
      throw new IOException("cannot use spool directory " + path + ": " + e, e);
    }
    if (fault != null) {
      throw new IOException(
          path + " " + fault + "; required: " + Trust.requiredDirectory(disk.userId()));
    }
    return new SpoolDirectory(disk, path, log, warnings);
  }

  /** Like {@link #open}, but creates nothing; null if there is no directory for this log. */
  public static @Nullable SpoolDirectory openExisting(Disk disk, Path base, LogIdentity log)
      throws IOException {
    Path own = UserDirectory.existing(disk, base);
    if (own == null || disk.stat(own.resolve(log.key())) == null) {
      return null;
    }
    SpoolDirectory found = open(disk, base, log);
    List<String> unused = found.takeWarnings(); // reported when a spool is created there
    return found;
  }

  /** The directories of all logs below a base. Skips the left-out ones unread: they may be many. */
  public static List<SpoolDirectory> all(Disk disk, Path base, Predicate<Path> isLeftOut)
      throws IOException {
    Path own = UserDirectory.existing(disk, base);
    List<SpoolDirectory> all = new ArrayList<>();
    for (Path path : own == null ? List.<Path>of() : disk.list(own)) {
      boolean isWanted = LogIdentity.isKey(SpoolNames.of(path)) && !isLeftOut.test(path);
      if (isWanted && UserDirectory.isGood(disk, path)) {
        all.add(new SpoolDirectory(disk, path, null, new Warnings()));
      }
    }
    return all;
  }

  public Path path() {
    return path;
  }

  public LogIdentity log() {
    return Objects.requireNonNull(log, "not opened for a log");
  }

  /** Sets the least counter of its spools, so that they compare with other directories' spools. */
  public void countFrom(long counter) {
    leastCounter = counter;
  }

  public boolean isOf(LogIdentity other) {
    return SpoolNames.of(path).equals(other.key());
  }

  /** What one of the spools, loops and directories of JVMs says about their log; or null. */
  public @Nullable LogNote note() throws IOException {
    for (Path spool : entries.all()) {
      LogNote note = LogNote.read(disk, spool);
      if (note != null) {
        return note;
      }
    }
    return null;
  }

  public Disk disk() {
    return disk;
  }

  /** Problems found and worked around since the last call, each once. */
  public List<String> takeWarnings() {
    return warnings.take();
  }

  /** The ship lock, once, if it was taken in advance; otherwise null. For the shipper's thread. */
  public @Nullable SpoolLock takeClaim() {
    SpoolLock taken = claim;
    claim = null;
    return taken;
  }

  /** Takes the lock of the one shipper of this log file; null while another holds it. */
  public @Nullable SpoolLock tryShipLock() throws IOException {
    return SpoolLock.tryTake(disk, path.resolve(SpoolNames.SHIP_LOCK));
  }

  /** Creates an empty spool of our own, locked. */
  public Spool createSpool(SpoolLimits limits) throws IOException {
    return createSpool(limits.share(), null);
  }

  /** The same, with a description of its log, so that another process ships it. */
  public Spool createDescribed(SpoolLimits limits, byte[] description) throws IOException {
    return createSpool(limits.share(), description);
  }

  /** Creates one for what comes after such a spool, within the limits of both together. */
  public Spool createNext(Spool former) throws IOException {
    return createSpool(former.share(), null);
  }

  private Spool createSpool(SpoolBudget.Share share, byte @Nullable [] description)
      throws IOException {
    SpoolLease lease = create(SpoolNames.SPOOL);
    try {
      SpoolHead head = description == null ? null : SpoolHead.create(disk, lease.path, description);
      return new Spool(this, lease, share, head, warnings);
    } catch (Throwable t) { // no memory for its buffers, or no room for its description
      lease.undo();
      throw t;
    }
  }

  /**
   * Creates an empty loop of our own, like a spool.
   *
   * @param keepNs age at which records are overwritten even if there is room, nanoseconds
   * @param expired receives the numbers of counted records that were overwritten or deleted
   * @param timeMs the wall clock, milliseconds since the epoch
   * @param namesLog whether it says which log it is for, so that other processes may dump it
   */
  public Loop createLoop(
      SpoolLimits limits,
      long keepNs,
      LongConsumer expired,
      LongSupplier timeMs,
      long nowNs,
      boolean namesLog)
      throws IOException {
    SpoolLease lease = create(SpoolNames.FLIGHT, namesLog ? log : null);
    try {
      return new Loop(disk, lease, limits, keepNs, expired, timeMs, nowNs);
    } catch (OutOfMemoryError e) {
      lease.close();
      throw e;
    }
  }

  /** Creates an empty spool of this kind, which says which log it is for, and locks it. */
  public SpoolLease create(String kind) throws IOException {
    return create(kind, log);
  }

  /** Whether there is no spool, nor what is left of one. */
  public boolean isEmpty() throws IOException {
    return entries.all().isEmpty();
  }

  /** What is not completely shipped, of live processes too, by its word, oldest first. */
  public List<Path> list(String kind) throws IOException {
    return entries.startingWith(kind);
  }

  /** Deletes a spool unless it has an owner. */
  public void delete(Path spool) {
    entries.deleteAbandoned(spool);
  }

  /** The records of a spool in another form than frames. */
  public RecordSource source(SpoolLease lease, SegmentFeed segments) {
    return new RecordSource(disk, lease, segments, warnings);
  }

  private SpoolLease create(String word, @Nullable LogIdentity named) throws IOException {
    for (int attempt = 0; attempt < CREATE_ATTEMPTS; attempt++) {
      SpoolLease lease = tryCreate(word, named);
      if (lease != null) {
        created = lease;
        return lease;
      }
    }
    throw new IOException("cannot lock a new spool in " + path);
  }

  /**
   * Takes over spools whose owner is gone, at most 16, oldest first. Each is locked until it is
   * closed or discarded. Spools of live owners, in this process or another, are not in the list.
   * Entries that are not our spools are left alone and reported as warnings.
   *
   * @param first goes before older ones; null for none
   * @param rescue completes each spool in another form than frames and lists its segments; null if
   *     it cannot be shipped now
   */
  public List<RecordSource> orphans(
      @Nullable InstanceId first,
      BiFunction<SpoolDirectory, SpoolLease, @Nullable SegmentFeed> rescue)
      throws IOException {
    List<Path> candidates = entries.spools();
    Path before = first == null ? null : entries.find(first);
    if (before != null && candidates.remove(before)) {
      candidates.add(0, before);
    }
    return orphans(candidates, rescue);
  }

  /** Takes over spools with frames or loops, like the other; needs no ship lock for loops. */
  public List<RecordSource> orphans(String kind) throws IOException {
    return orphans(list(kind), (directory, lease) -> null);
  }

  private List<RecordSource> orphans(
      List<Path> candidates, BiFunction<SpoolDirectory, SpoolLease, @Nullable SegmentFeed> rescue)
      throws IOException {
    List<RecordSource> orphans = new ArrayList<>();
    SpoolLease own = created;
    try {
      for (Path entry : candidates) {
        if (own != null && own.isOpen() && entry.equals(own.path)) {
          continue; // to find its lock taken takes longer
        }
        boolean hasRoom = orphans.size() < MAX_TAKEN;
        RecordSource orphan = hasRoom || SpoolNames.isLines(entry) ? takeOver(entry, rescue) : null;
        if (orphan != null && hasRoom) {
          orphans.add(orphan);
        } else if (orphan != null) {
          orphan.close(); // it was only rescued
        }
      }
      return orphans;
    } catch (Throwable t) { // no memory for a buffer: spools not returned must not stay locked
      orphans.forEach(RecordSource::close);
      throw t;
    }
  }

  /** Whether there is a spool of this identity that is not completely shipped. */
  public boolean holds(InstanceId instance) throws IOException {
    return !disk.isGone(path) && entries.find(instance) != null;
  }

  /**
   * Deletes leftovers of crashes: completely shipped spools, and loops that were not dumped for 7
   * days. Also deletes what was {@link SpoolNames#aside put aside} 7 days ago.
   */
  public void cleanUp(long nowMs) throws IOException {
    entries.cleanUp(nowMs);
  }

  /**
   * Removes the directory if it contains only the ship lock, which is held, and files of these
   * names. The lock is deleted after the files: until then no other process ships, so the files
   * cannot be another shipper's. A process about to use the directory either finds it missing or
   * uses it and so keeps it. The user's directory is removed with the last one in it.
   */
  public void removeUnlessUsed(SpoolLock held, Set<String> leftovers) throws IOException {
    entries.removeUnlessUsed(held, leftovers);
  }

  private @Nullable SpoolLease tryCreate(String word, @Nullable LogIdentity named)
      throws IOException {
    long counter = Math.max(leastCounter, entries.nextCounter());
    Path spool = path.resolve(word + SpoolNames.spoolSuffix(counter, InstanceId.random()));
    disk.createDirectory(spool);
    SpoolLock lock = null;
    SpoolLease lease = null;
    try {
      lock = SpoolLock.tryTake(disk, SpoolNames.lock(spool));
      if (lock != null) {
        if (named != null) {
          LogNote.write(disk, spool, named);
        }
        lease = new SpoolLease(disk, spool, lock);
      }
    } catch (NoSuchFileException e) {
      // Shipped already by another process, which found it unlocked and empty.
    } finally {
      if (lease == null && lock != null) { // an Error perhaps
        lock.letGo();
        entries.delete(spool); // only we add records to it
        lock.close();
      } else if (lease == null && disk.movesOpenFiles()) { // else the lock's holder deletes it
        entries.delete(spool);
      }
    }
    return lease;
  }

  private @Nullable RecordSource takeOver(
      Path entry, BiFunction<SpoolDirectory, SpoolLease, @Nullable SegmentFeed> rescue) {
    try {
      return adopt(entry, rescue);
    } catch (NoSuchFileException e) {
      // Its creator found it locked by us and has taken it back.
    } catch (IOException e) {
      warnings.add("cannot take over " + entry + ": " + e);
    }
    return null;
  }

  /** Takes over a spool whose lock we hold, with the records before this sequence. */
  public RecordSource adopt(Path spool, SpoolLock lock, long limit) throws IOException {
    SpoolLease lease = new SpoolLease(disk, spool, lock);
    return source(lease, new OrphanSegments(disk, lease, limit, warnings));
  }

  /** Takes over one spool with frames; null if it has an owner or is not ours. */
  public @Nullable RecordSource adopt(Path entry) throws IOException {
    return adopt(entry, (directory, lease) -> null);
  }

  private @Nullable RecordSource adopt(
      Path entry, BiFunction<SpoolDirectory, SpoolLease, @Nullable SegmentFeed> rescue)
      throws IOException {
    SpoolLease lease = entries.tryLease(entry);
    if (lease == null) {
      return null;
    }
    RecordSource orphan = null;
    try {
      SegmentFeed segments =
          SpoolNames.isLines(entry)
              ? rescue.apply(this, lease)
              : OrphanSegments.of(disk, lease, warnings);
      orphan = segments == null ? null : source(lease, segments);
    } finally {
      if (orphan == null) {
        lease.close();
      }
    }
    return orphan;
  }
}
