package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.HeapDisk;
import dev.forebay.tiered.disk.MemoryFileSystem;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolCap;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens spools: in the wanted directory or, while that cannot be used, in the heap; and says what
 * is wrong with a place. For the flusher's thread.
 */
final class SpoolOpener {

  /** How often a place is tried while there is none at all. */
  private static final long RETRY_NS = 1_000_000_000;

  /** While the spool is in the heap, how often the wanted place is tried again. */
  static final long RETURN_NS = 10_000_000_000L;

  /** The longest pause between these tries, for a place that has room for moments only. */
  private static final long MAX_RETURN_NS = 600_000_000_000L;

  /** A return to the wanted place that lasted so long was one. */
  private static final long STABLE_NS = 60_000_000_000L;

  /** Part of a segment that the wanted place must have room for. */
  private static final int ROOM_PART = 4;

  /** What the wanted place must have room for to be used at all. */
  private static final long LEAST_ROOM_BYTES = 64 * 1024;

  /** Part of the budget that is worth a word when others hold it. */
  private static final int CROWDED_PART = 2;

  private final Disk disk;
  private final TieredSettings settings;
  private final LogLocator locator;
  private final SpoolBudgets budgets;
  private final NanoClock clock;
  private final Consumer<String> warnings;

  /** The last one opened at the wanted place; null before. */
  private @Nullable SpoolDirectory wanted;

  /** Made when it is needed first. */
  private @Nullable SpoolDirectory heap;

  private boolean tried;
  private boolean foundNoPlace;
  private boolean toldNowhere;
  private boolean toldDisk;
  private boolean toldSize;
  private boolean toldRoom;
  private boolean toldCrowded;
  private boolean returned;
  private long returnedNs;
  private long returnDelayNs = RETURN_NS;
  private long nextTryNs;

  SpoolOpener(
      Disk disk,
      TieredSettings settings,
      LogLocator locator,
      SpoolBudgets budgets,
      NanoClock clock,
      Consumer<String> warnings) {
    this.disk = disk;
    this.settings = settings;
    this.locator = locator;
    this.budgets = budgets;
    this.clock = clock;
    this.warnings = warnings;
  }

  /** Opens a spool in the best place there is; null when there is none or it is not yet time. */
  @Nullable OpenSpool open() {
    long nowNs = clock.nanoTime();
    LogIdentity log = locator.find(nowNs);
    if (log == null || foundNoPlace && nowNs - nextTryNs < 0) {
      return null;
    }
    tried = true;
    try {
      OpenSpool opened = openWanted(log);
      warnIfOnDisk(opened);
      return opened;
    } catch (IOException e) {
      return openHeap(log, "cannot be used", e);
    }
  }

  /** Whether {@link #open} knew for which log, and so made an attempt. */
  boolean hasTried() {
    return tried;
  }

  /** Whether a spool is still where its log's spools belong. */
  boolean isInPlace(OpenSpool used) {
    return used.spool().isPathIntact() && !locator.isOther(used.log());
  }

  /**
   * Opens a spool in the heap, for lack of a better place; null when there is no memory for it.
   *
   * @param log whose records it will have
   * @param fault what is wrong with the wanted place
   */
  @Nullable OpenSpool openHeap(LogIdentity log, String fault, IOException cause) {
    long nowNs = clock.nanoTime();
    try {
      SpoolDirectory directory = heapDirectory(log);
      long bytes = heapBytes();
      int segmentBytes = (int) Math.min(settings.segmentBytes(), bytes / 2);
      SpoolCap cap = budgets.inHeap().share(bytes);
      Spool spool = directory.createSpool(SpoolLimits.withoutSpares(cap, segmentBytes));
      boolean relapsed = returned && nowNs - returnedNs < STABLE_NS;
      returnDelayNs = relapsed ? Math.min(2 * returnDelayNs, MAX_RETURN_NS) : RETURN_NS;
      nextTryNs = nowNs + returnDelayNs;
      foundNoPlace = false;
      warnings.accept(
          "<spoolDirectory> %s %s: %s; spooling in up to %d MB of the heap, lost if the process is killed; trying again every %d s"
              .formatted(
                  settings.spoolDirectory(),
                  fault,
                  describe(cause),
                  bytes >> 20,
                  returnDelayNs / 1_000_000_000));
      return new OpenSpool(directory, spool, log, true);
    } catch (IOException e) {
      foundNoPlace = true;
      nextTryNs = nowNs + RETRY_NS;
      tellNowhere(describe(cause) + "; " + describe(e));
      return null;
    }
  }

  /**
   * The wanted place, while the spool is in the heap; null while it cannot be had. What is in the
   * heap is shipped first, so nobody has to wait until that is empty.
   */
  @Nullable OpenSpool openAgain(OpenSpool used) {
    long nowNs = clock.nanoTime();
    if (nowNs - nextTryNs < 0) {
      return null;
    }
    nextTryNs = nowNs + returnDelayNs;
    try {
      requireRoom(settings.spoolDirectory(), settings.segmentBytes() / ROOM_PART);
      OpenSpool opened = openWanted(used.log());
      returned = true;
      returnedNs = nowNs;
      warnings.accept("spooling in <spoolDirectory> again: " + opened.directory().path());
      return opened;
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Directories that hold older spools of this log although no spool was made there, of which the
   * lock is needed and the records go first.
   */
  List<SpoolDirectory> others(OpenSpool used) {
    Path usual = Path.of(TieredOptions.DEFAULT_SPOOL_DIRECTORY); // it may have been wanted before
    List<SpoolDirectory> others = new ArrayList<>();
    if (used.inHeap() && wanted == null) {
      wanted = existing(settings.spoolDirectory(), used.log());
      addTo(others, wanted);
    }
    if (!settings.spoolDirectory().equals(usual)) {
      addTo(others, existing(usual, used.log()));
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
      return null; // what cannot be opened now is no place where we could have spooled
    }
  }

  private SpoolDirectory heapDirectory(LogIdentity log) throws IOException {
    SpoolDirectory known = heap;
    if (known == null) {
      Disk memory = new HeapDisk(heapBytes() + MemoryBudget.HEAP_OVERHEAD_BYTES);
      known = SpoolDirectory.open(memory, HeapDisk.ROOT, log);
      heap = known;
    }
    return known;
  }

  private long heapBytes() {
    return MemoryBudget.heapSpoolBytes(Runtime.getRuntime().maxMemory(), settings.spoolBytes());
  }

  /** Twice, because another process may just remove the directory of the log as it leaves. */
  private OpenSpool openWanted(LogIdentity log) throws IOException {
    try {
      return openOnce(log);
    } catch (IOException e) {
      return openOnce(log);
    }
  }

  private OpenSpool openOnce(LogIdentity log) throws IOException {
    SpoolDirectory directory = SpoolDirectory.open(disk, settings.spoolDirectory(), log);
    directory.takeWarnings().forEach(warnings);
    requireRoom(directory.path(), LEAST_ROOM_BYTES);
    SpoolBudget budget = budgets.at(disk, directory.path().resolveSibling(""), clock);
    Long configured = settings.spoolBytes();
    SpoolCap cap = configured == null ? budget.share() : budget.apart(configured);
    Spool spool = directory.createSpool(new SpoolLimits(cap, settings.segmentBytes()));
    if (disk.isInMemory(directory.path())) {
      long bytes = configured == null ? budget.limitBytes() : configured;
      warnIfTooLarge(Math.max(spool.limitBytes(), bytes), new MemoryLimit().bytes());
      warnIfLargerThan(MemoryFileSystem.sizeBytes(directory.path()), bytes);
    }
    wanted = directory;
    foundNoPlace = false;
    return new OpenSpool(directory, spool, log, false);
  }

  /**
   * Throws when the file system has less left. What is begun without room for a checkpoint could
   * not be shipped before there is some.
   */
  private void requireRoom(Path path, long bytes) throws IOException {
    long free = disk.usableBytes(path);
    // A tmpfs without a limit has 0 bytes left.
    if (free < bytes && MemoryFileSystem.sizeBytes(path) != Long.MAX_VALUE) {
      throw new IOException("No space left on device: %d bytes free".formatted(free));
    }
  }

  private void warnIfTooLarge(long bytes, OptionalLong limit) {
    long heapBytes = Runtime.getRuntime().maxMemory();
    if (!toldSize && MemoryBudget.isTooLarge(bytes, heapBytes, limit)) {
      toldSize = true;
      warnings.accept(
          "<spoolSize> is %d bytes and counts against the memory limit of %d bytes, beside a heap of up to %d bytes: a full spool may get the process killed"
              .formatted(bytes, limit.getAsLong(), heapBytes));
    }
  }

  private void warnIfLargerThan(long sizeBytes, long bytes) {
    if (!toldRoom && bytes > sizeBytes && settings.spoolBytes() != null) {
      toldRoom = true;
      warnings.accept(
          "<spoolSize> is %d bytes, but <spoolDirectory> %s is on a file system of %d bytes: when that is full, the spool moves to the heap"
              .formatted(bytes, settings.spoolDirectory(), sizeBytes));
    }
  }

  private void warnIfOnDisk(OpenSpool opened) {
    if (!toldDisk && !disk.isInMemory(opened.directory().path())) {
      toldDisk = true;
      warnings.accept(
          "<spoolDirectory> %s is not on tmpfs: while its disk stalls, events wait in the ring, and are dropped when it is full"
              .formatted(settings.spoolDirectory()));
    }
  }

  /** Says once why a spool of default size is full although it could be larger. */
  void explainFull(OpenSpool used) {
    if (toldCrowded || used.inHeap() || settings.spoolBytes() != null) {
      return;
    }
    Path userDirectory = used.directory().path().resolveSibling("");
    SpoolBudget budget = budgets.at(disk, userDirectory, clock);
    Spool spool = used.spool();
    if (spool.usedBytes() >= spool.limitBytes()
        && budget.othersBytes() >= budget.limitBytes() / CROWDED_PART) {
      toldCrowded = true;
      warnings.accept(
          "the spool is full at %d bytes: others in %s, of dead processes or of live ones, hold %d of the %d bytes that spools without <spoolSize> share; it may grow when these are shipped, or with a <spoolSize>"
              .formatted(
                  spool.usedBytes(), userDirectory, budget.othersBytes(), budget.limitBytes()));
    }
  }

  private void tellNowhere(String problem) {
    if (!toldNowhere) {
      toldNowhere = true;
      warnings.accept(
          "no place for a spool: %s; events wait in the ring, are dropped when it is full and lost when the process is killed; trying again every %d s"
              .formatted(problem, RETRY_NS / 1_000_000_000));
    }
  }

  private static String describe(IOException e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }
}
