package dev.forebay.tiered;

import dev.forebay.agent.Once;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.HeapDisk;
import dev.forebay.tiered.disk.MemoryLimit;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.ship.LogLocator;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolBudget;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
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

  private final StartContext context;
  private final LogLocator locator;
  private final ShippingMetrics account;
  private final TieredSettings settings;
  private final SpoolBudgets budgets;

  /** Created on first use. */
  private @Nullable SpoolDirectory heap;

  private final Once once;

  /** Whether there was no place at all once. */
  boolean hasFailed;

  /** When to try again what failed: any place, or the wanted one while the spool is in the heap. */
  private long nextTryNs;

  SpoolOpener(
      StartContext context, LogLocator locator, ShippingMetrics account, SpoolBudgets budgets) {
    this.context = context;
    this.once = new Once(context.voice());
    this.locator = locator;
    this.account = account;
    this.settings = context.settings();
    this.budgets = budgets;
    this.nextTryNs = context.clock().nanoTime();
  }

  /** Opens a spool in the best place; null if there is none or it is too early to retry. */
  @Nullable Spool open() {
    long nowNs = context.clock().nanoTime();
    LogIdentity log = locator.find(nowNs);
    if (log == null || nowNs - nextTryNs < 0) {
      return null;
    }
    try {
      return openWanted(log);
    } catch (IOException e) {
      return openHeap(log, "cannot be used", e);
    }
  }

  /** Whether a spool is still at its path and for the right log. */
  boolean isInPlace(Spool used) {
    return used.isPathIntact() && !locator.isOther(used.directory().log());
  }

  /**
   * Opens a spool in the heap, as the wanted place has a fault; null if there is no memory for it.
   */
  @Nullable Spool openHeap(LogIdentity log, String fault, IOException cause) {
    long nowNs = context.clock().nanoTime();
    if (context.apart() != null) { // another process cannot read it there
      return noPlace(cause, "<shipping> is apart, so there is none in the heap");
    }
    try {
      long maxHeapBytes = Runtime.getRuntime().maxMemory();
      long bytes = SpoolBudgets.heapSpoolBytes(maxHeapBytes, settings.spoolBytes());
      SpoolDirectory directory = heapDirectory(log, bytes);
      int mostSegmentBytes = (int) Math.min(settings.segmentBytes(), bytes / 2);
      SpoolBudget budget = budgets.inHeap(context.clock());
      Spool spool;
      synchronized (budget.creation) {
        spool = directory.createSpool(budget.share(bytes, mostSegmentBytes));
      }
      nextTryNs = nowNs + RETURN_NS;
      context
          .voice()
          .warn(
              "<spoolDirectory> %s %s: %s; spooling in up to %d MB of the heap, lost if the process is killed; retrying every %d s"
                  .formatted(
                      settings.spoolDirectory(),
                      fault,
                      describe(cause),
                      bytes >> 20,
                      RETURN_NS / 1_000_000_000));
      return spool;
    } catch (IOException e) {
      return noPlace(cause, describe(e));
    }
  }

  private @Nullable Spool noPlace(IOException cause, String inHeap) {
    nextTryNs = context.clock().nanoTime() + RETRY_NS;
    hasFailed = true;
    once.warn(
        "place",
        "no place for a spool: %s; %s; events wait in the ring, are dropped once it is full and lost if the process is killed; retrying every %d s"
            .formatted(describe(cause), inHeap, RETRY_NS / 1_000_000_000));
    account.tried(); // the waiting start prints what is said by now
    return null;
  }

  /**
   * Opens a spool at the wanted place again, while the spool is in the heap; null if that is not
   * possible. The heap need not be empty: its records are shipped first.
   */
  @Nullable Spool openAgain(Spool used) {
    long nowNs = context.clock().nanoTime();
    if (nowNs - nextTryNs < 0) {
      return null;
    }
    nextTryNs = nowNs + RETURN_NS;
    try {
      requireRoom(settings.spoolDirectory(), settings.segmentBytes() / ROOM_PART);
      Spool opened = openWanted(used.directory().log());
      context.voice().warn("spooling in <spoolDirectory> again: " + opened.directory().path());
      return opened;
    } catch (IOException e) {
      return null;
    }
  }

  /** Opens a spool for what comes after another, within its cap; null if that fails. */
  @Nullable Spool openNext(Spool used) {
    try {
      return used.directory().createNext(used);
    } catch (IOException e) {
      return null;
    }
  }

  private SpoolDirectory heapDirectory(LogIdentity log, long bytes) throws IOException {
    SpoolDirectory known = heap;
    if (known == null) {
      Disk memory = new HeapDisk(bytes + SpoolBudgets.HEAP_OVERHEAD_BYTES);
      known = SpoolDirectory.open(memory, HeapDisk.ROOT, log);
      heap = known;
    }
    return known;
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
    SpoolDirectory directory = SpoolDirectory.open(context.disk(), settings.spoolDirectory(), log);
    for (String warning : directory.takeWarnings()) {
      context.voice().warn(warning);
    }
    requireRoom(directory.path(), LEAST_ROOM_BYTES);
    if (settings.overflow() != null) { // to be compared with those there, also after a power cut
      directory.countFrom(context.wall().millis());
    }
    SpoolBudget budget =
        budgets.at(context.disk(), directory.path().resolveSibling(""), context.clock());
    Long configured = settings.spoolBytes();
    int most = settings.segmentBytes();
    Spool spool;
    Apart apart = context.apart();
    synchronized (budget.creation) {
      SpoolLimits limits =
          configured == null ? budget.share(Long.MAX_VALUE, most) : budget.apart(configured, most);
      spool =
          apart == null
              ? directory.createSpool(limits)
              : directory.createDescribed(limits, apart.description().encode());
    }
    warnOfPlace(spool, configured == null ? budget.limitBytes() : configured);
    nextTryNs = context.clock().nanoTime();
    return spool;
  }

  /**
   * Throws if the file system has less space. A spool begun without space for a checkpoint could
   * not be shipped until there is some.
   */
  private void requireRoom(Path path, long bytes) throws IOException {
    long free = context.disk().usableBytes(path);
    // A tmpfs without a limit reports 0 bytes free.
    if (free < bytes && NioDisk.sizeBytes(path) != Long.MAX_VALUE) {
      throw new IOException("No space left on device: %d bytes free".formatted(free));
    }
  }

  /**
   * Warns if log calls may wait for it, or if it may not get what it is allowed.
   *
   * @param bytes what it, or all that share a budget, may take
   */
  private void warnOfPlace(Spool opened, long bytes) {
    if (opened.isOnDisk()) {
      if (context.disk().hasTmpfs()) {
        once.warn(
            "disk",
            "<spoolDirectory> %s is not on tmpfs: while its disk stalls, %s"
                .formatted(
                    settings.spoolDirectory(),
                    settings.durability() == null
                        ? "events wait in the ring and are dropped once it is full"
                        : "log calls may wait for it, since <durability> has them write to the"
                            + " spool"));
      }
      return;
    }
    long mostBytes = Math.max(opened.limitBytes(), bytes);
    long heapBytes = Runtime.getRuntime().maxMemory();
    OptionalLong limit = MemoryLimit.bytes();
    if (SpoolBudgets.isTooLarge(mostBytes, heapBytes, limit)) {
      once.warn(
          "memory",
          "<spoolSize> is %d bytes and counts against the memory limit of %d bytes, in addition to a heap of up to %d bytes: a full spool may get the process killed"
              .formatted(mostBytes, limit.getAsLong(), heapBytes));
    }
    long sizeBytes = NioDisk.sizeBytes(opened.path());
    if (settings.spoolBytes() != null && bytes > sizeBytes) {
      once.warn(
          "room",
          "<spoolSize> is %d bytes, but <spoolDirectory> %s is on a file system of %d bytes: once that is full, the spool moves to the heap"
              .formatted(bytes, settings.spoolDirectory(), sizeBytes));
    }
  }

  private static String describe(IOException e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }
}
