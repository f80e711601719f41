package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.HeapDisk;
import dev.forebay.tiered.disk.MemoryFileSystem;
import dev.forebay.tiered.disk.MemoryLimit;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolBudget;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import dev.forebay.tiered.spool.Voice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Opens spools in the wanted directory or, while that cannot be used, in the heap, and warns what
 * is wrong with a place. For the flusher's thread.
 */
final class SpoolOpener {

  /** How often to retry while there is no place at all. */
  private static final long RETRY_NS = 1_000_000_000;

  /** How often the wanted place is retried while the spool is in the heap. */
  static final long RETURN_NS = 10_000_000_000L;

  /** Fraction of a segment that must be free to return to the wanted place. */
  private static final int ROOM_PART = 4;

  /** Space that must be free to use the wanted place at all. */
  private static final long LEAST_ROOM_BYTES = 64 * 1024;

  private final Disk disk;
  private final TieredSettings settings;
  private final LogLocator locator;
  private final SpoolBudgets budgets;
  private final NanoClock clock;
  private final Voice voice;

  /** The directory last opened at the wanted place; initially null. */
  private @Nullable SpoolDirectory wanted;

  /** Created on first use. */
  private @Nullable SpoolDirectory heap;

  private boolean tried;
  private boolean foundNoPlace;

  /** What was warned of: each once. */
  private final Set<String> warned = new HashSet<>();

  private long nextTryNs;

  SpoolOpener(StartContext start, LogLocator locator, SpoolBudgets budgets) {
    this.disk = start.disk();
    this.settings = start.settings();
    this.locator = locator;
    this.budgets = budgets;
    this.clock = start.clock();
    this.voice = start.voice();
  }

  /** Opens a spool in the best place; null if there is none or it is too early to retry. */
  @Nullable Spool open() {
    long nowNs = clock.nanoTime();
    LogIdentity log = locator.find(nowNs);
    if (log == null || foundNoPlace && nowNs - nextTryNs < 0) {
      return null;
    }
    tried = true;
    try {
      Spool opened = openWanted(log);
      warnIfOnDisk(opened);
      return opened;
    } catch (IOException e) {
      return openHeap(log, "cannot be used", e);
    }
  }

  /** Whether {@link #open} knew the log and so made an attempt. */
  boolean hasTried() {
    return tried;
  }

  /** Whether a spool is still at its path and for the right log. */
  boolean isInPlace(Spool used) {
    return used.isPathIntact() && !locator.isOther(used.directory().log());
  }

  /**
   * Opens a spool in the heap, for lack of a better place; null if there is no memory for it.
   *
   * @param log the log of its records
   * @param fault what is wrong with the wanted place
   */
  @Nullable Spool openHeap(LogIdentity log, String fault, IOException cause) {
    long nowNs = clock.nanoTime();
    try {
      SpoolDirectory directory = heapDirectory(log);
      long bytes = heapBytes();
      int mostSegmentBytes = (int) Math.min(settings.segmentBytes(), bytes / 2);
      SpoolLimits limits =
          budgets.inHeap(clock::nanoTime).share(bytes, mostSegmentBytes).withoutSpares();
      Spool spool = directory.createSpool(limits);
      nextTryNs = nowNs + RETURN_NS;
      foundNoPlace = false;
      voice.accept(
          "<spoolDirectory> %s %s: %s; spooling in up to %d MB of the heap, lost if the process is killed; retrying every %d s"
              .formatted(
                  settings.spoolDirectory(),
                  fault,
                  describe(cause),
                  bytes >> 20,
                  RETURN_NS / 1_000_000_000));
      return spool;
    } catch (IOException e) {
      foundNoPlace = true;
      nextTryNs = nowNs + RETRY_NS;
      warnOnce(
          "place",
          "no place for a spool: %s; %s; events wait in the ring, are dropped once it is full and lost if the process is killed; retrying every %d s"
              .formatted(describe(cause), describe(e), RETRY_NS / 1_000_000_000));
      return null;
    }
  }

  /**
   * Opens a spool at the wanted place again, while the spool is in the heap; null if that is not
   * possible. The heap need not be empty: its records are shipped first.
   */
  @Nullable Spool openAgain(Spool used) {
    long nowNs = clock.nanoTime();
    if (nowNs - nextTryNs < 0) {
      return null;
    }
    nextTryNs = nowNs + RETURN_NS;
    try {
      requireRoom(settings.spoolDirectory(), settings.segmentBytes() / ROOM_PART);
      Spool opened = openWanted(used.directory().log());
      voice.accept("spooling in <spoolDirectory> again: " + opened.directory().path());
      return opened;
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Directories with older spools of this log in which no spool was created now. Their locks are
   * needed, and their records are shipped first.
   */
  List<SpoolDirectory> others(Spool used) {
    Path usual = Path.of(TieredOptions.DEFAULT_SPOOL_DIRECTORY); // perhaps used earlier
    List<SpoolDirectory> others = new ArrayList<>();
    if (used.isInHeap() && wanted == null) {
      wanted = existing(settings.spoolDirectory(), used.directory().log());
      addTo(others, wanted);
    }
    if (!settings.spoolDirectory().equals(usual)) {
      addTo(others, existing(usual, used.directory().log()));
    }
    return others;
  }

  private static void addTo(List<SpoolDirectory> others, @Nullable SpoolDirectory found) {
    if (found != null) {
      others.add(found);
    }
  }

  private @Nullable SpoolDirectory existing(Path base, LogIdentity log) {
    try {
      return SpoolDirectory.openExisting(disk, base, log);
    } catch (IOException e) {
      return null; // we cannot have spooled to a directory that we cannot open
    }
  }

  private SpoolDirectory heapDirectory(LogIdentity log) throws IOException {
    SpoolDirectory known = heap;
    if (known == null) {
      Disk memory = new HeapDisk(heapBytes() + SpoolBudgets.HEAP_OVERHEAD_BYTES);
      known = SpoolDirectory.open(memory, HeapDisk.ROOT, log);
      heap = known;
    }
    return known;
  }

  private long heapBytes() {
    return SpoolBudgets.heapSpoolBytes(Runtime.getRuntime().maxMemory(), settings.spoolBytes());
  }

  /** Retries once: another process may be removing the log's directory as it stops. */
  private Spool openWanted(LogIdentity log) throws IOException {
    try {
      return openOnce(log);
    } catch (IOException e) {
      return openOnce(log);
    }
  }

  private Spool openOnce(LogIdentity log) throws IOException {
    SpoolDirectory directory = SpoolDirectory.open(disk, settings.spoolDirectory(), log);
    directory.takeWarnings().forEach(voice);
    requireRoom(directory.path(), LEAST_ROOM_BYTES);
    SpoolBudget budget = budgets.at(disk, directory.path().resolveSibling(""), clock::nanoTime);
    Long configured = settings.spoolBytes();
    int most = settings.segmentBytes();
    Spool spool =
        directory.createSpool(
            configured == null
                ? budget.share(Long.MAX_VALUE, most)
                : budget.apart(configured, most));
    if (!spool.isOnDisk()) {
      long bytes = configured == null ? budget.limitBytes() : configured;
      warnIfTooLarge(Math.max(spool.limitBytes(), bytes), new MemoryLimit().bytes());
      warnIfLargerThan(MemoryFileSystem.sizeBytes(directory.path()), bytes);
    }
    wanted = directory;
    foundNoPlace = false;
    return spool;
  }

  /**
   * Throws if the file system has less space. A spool begun without space for a checkpoint could
   * not be shipped until there is some.
   */
  private void requireRoom(Path path, long bytes) throws IOException {
    long free = disk.usableBytes(path);
    // A tmpfs without a limit reports 0 bytes free.
    if (free < bytes && MemoryFileSystem.sizeBytes(path) != Long.MAX_VALUE) {
      throw new IOException("No space left on device: %d bytes free".formatted(free));
    }
  }

  private void warnIfTooLarge(long bytes, OptionalLong limit) {
    long heapBytes = Runtime.getRuntime().maxMemory();
    if (SpoolBudgets.isTooLarge(bytes, heapBytes, limit)) {
      warnOnce(
          "memory",
          "<spoolSize> is %d bytes and counts against the memory limit of %d bytes, in addition to a heap of up to %d bytes: a full spool may get the process killed"
              .formatted(bytes, limit.getAsLong(), heapBytes));
    }
  }

  private void warnIfLargerThan(long sizeBytes, long bytes) {
    if (bytes > sizeBytes && settings.spoolBytes() != null) {
      warnOnce(
          "room",
          "<spoolSize> is %d bytes, but <spoolDirectory> %s is on a file system of %d bytes: once that is full, the spool moves to the heap"
              .formatted(bytes, settings.spoolDirectory(), sizeBytes));
    }
  }

  private void warnIfOnDisk(Spool opened) {
    if (opened.isOnDisk()) {
      warnOnce(
          "disk",
          "<spoolDirectory> %s is not on tmpfs: while its disk stalls, %s"
              .formatted(
                  settings.spoolDirectory(),
                  settings.durability() == null
                      ? "events wait in the ring and are dropped once it is full"
                      : "log calls may wait for it, since <durability> has them write to the spool"));
    }
  }

  private void warnOnce(String of, String text) {
    if (warned.add(of)) {
      voice.accept(text);
    }
  }

  private static String describe(IOException e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }
}
