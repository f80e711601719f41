package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.HeapDisk;
import dev.forebay.tiered.disk.MemoryLimit;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.identity.LogIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The budgets that the spools of one process share: one for each place in the file system, since
 * each has its own space, and one for all spools in the heap. Thread-safe.
 *
 * <p>The pages of a spool on tmpfs count against the container's memory limit, and beyond that the
 * kernel kills the process instead of refusing the write.
 */
public final class SpoolBudgets {

  /** The instance shared by all appenders of a process that one class loader loads. */
  public static final SpoolBudgets OF_PROCESS = new SpoolBudgets();

  static final long DEFAULT_SPOOL_BYTES = 256L << 20;

  /** Fraction of the tmpfs space, free or theirs, that spools of default size take. */
  private static final int OF_FREE_SPACE = 4;

  /** Fraction of the container's memory limit that they take. */
  private static final int OF_LIMIT = 8;

  /** Fraction of the limit above which a configured size causes a warning. */
  private static final int WARN_ABOVE = 2;

  /** Fraction of the maximum heap that a spool in the heap may take, and its bounds. */
  private static final int OF_HEAP = 16;

  /** Enough for the buffered records of the former spool's writer. */
  private static final long LEAST_HEAP_SPOOL_BYTES = 1L << 20;

  private static final long MIN_HEAP_SPOOL_BYTES = 8L << 20;
  private static final long MAX_HEAP_SPOOL_BYTES = 64L << 20;

  /** Bytes that a spool in the heap needs for locks and checkpoints. */
  public static final long HEAP_OVERHEAD_BYTES = 256L << 10;

  private static final long GRAIN_BYTES = 64L << 10;

  private static final String LOOPS = "loops";

  /** Flight recorders have this fraction of what spools have, in addition. */
  private static final int LOOPS_PART = 2;

  /**
   * By the directory that holds the spools of a user, and {@link #LOOPS} in it; those in the heap
   * by its root. Never removed.
   */
  private final Map<Path, SpoolBudget> places = new ConcurrentHashMap<>();

  /** The budget of spools in a place. */
  public SpoolBudget at(Disk disk, Path userDirectory, LongSupplier clockNs) {
    return at(userDirectory, new Place(disk, userDirectory, false), clockNs);
  }

  /** The budget of flight recorders' loops in a place: half as much again. */
  public SpoolBudget loopsAt(Disk disk, Path userDirectory, LongSupplier clockNs) {
    return at(userDirectory.resolve(LOOPS), new Place(disk, userDirectory, true), clockNs);
  }

  private SpoolBudget at(Path key, SpoolBudget.Gauge gauge, LongSupplier clockNs) {
    SpoolBudget fresh = new SpoolBudget(gauge, clockNs);
    SpoolBudget known = places.putIfAbsent(key, fresh);
    return known == null ? fresh : known;
  }

  public SpoolBudget inHeap(LongSupplier clockNs) {
    long bytes = heapSpoolBytes(Runtime.getRuntime().maxMemory(), null);
    return at(HeapDisk.ROOT, own -> new SpoolBudget.Reading(0, bytes), clockNs);
  }

  /**
   * The cap of a spool in the heap, used while there is no other place.
   *
   * @param configuredBytes {@code <spoolSize>}, or null if the user set none
   */
  public static long heapSpoolBytes(long heapBytes, @Nullable Long configuredBytes) {
    long share =
        Math.max(MIN_HEAP_SPOOL_BYTES, Math.min(MAX_HEAP_SPOOL_BYTES, heapBytes / OF_HEAP));
    return configuredBytes == null
        ? share
        : Math.max(LEAST_HEAP_SPOOL_BYTES, Math.min(share, configuredBytes));
  }

  /**
   * The budget that all spools of default size share, rounded up to 64 KB: the space of their
   * directories and locks must not cost a segment.
   *
   * @param roomBytes bytes of their file system that are free or taken by spools
   * @param limitBytes memory limit of the container
   */
  static long sharedSpoolBytes(long roomBytes, OptionalLong limitBytes) {
    long part = (roomBytes / OF_FREE_SPACE + GRAIN_BYTES - 1) / GRAIN_BYTES * GRAIN_BYTES;
    long bytes = Math.min(DEFAULT_SPOOL_BYTES, part);
    return limitBytes.isPresent() ? Math.min(bytes, limitBytes.getAsLong() / OF_LIMIT) : bytes;
  }

  /**
   * Whether a cap is so large that the process may be killed: more than half of the limit, or more
   * than the maximum heap leaves.
   */
  public static boolean isTooLarge(long spoolBytes, long heapBytes, OptionalLong limitBytes) {
    if (limitBytes.isEmpty()) {
      return false;
    }
    long limit = limitBytes.getAsLong();
    return spoolBytes > limit / WARN_ABOVE || spoolBytes > limit - heapBytes;
  }

  /** Length of a spool's or loop's segments and spares. */
  public static long bytes(Disk disk, Path spool) {
    return bytes(disk, spool, false);
  }

  /** Length of what the destination of a log has refused. */
  public static long refusedBytes(Disk disk, Path log) {
    return bytes(disk, log, true);
  }

  private static long bytes(Disk disk, Path directory, boolean areRefused) {
    long bytes = 0;
    for (Path file : list(disk, directory)) {
      boolean isSegment = SpoolNames.isSegmentOrSpare(SpoolNames.of(file));
      if (areRefused ? SpoolNames.isRefused(file) : isSegment) {
        try {
          FileInfo info = disk.stat(file);
          bytes += info == null ? 0 : info.sizeBytes();
        } catch (IOException e) {
          // The directory takes no space that we know of.
        }
      }
    }
    return bytes;
  }

  private static List<Path> list(Disk disk, Path directory) {
    try {
      return disk.list(directory);
    } catch (IOException e) {
      return List.of(); // just removed, or not a directory
    }
  }

  /** Measures the file system of a directory that holds the spools of a user. */
  record Place(Disk disk, Path userDirectory, boolean isOfLoops) implements SpoolBudget.Gauge {

    /** Sums the sizes of the files. Files that disappear in the meantime do not count. */
    @Override
    public SpoolBudget.Reading read(Set<InstanceId> own) throws IOException {
      long room = disk.usableBytes(userDirectory);
      long others = 0;
      for (Path log : list(disk, userDirectory)) {
        boolean isLog = LogIdentity.isKey(SpoolNames.of(log));
        others += isLog && !isOfLoops ? refusedBytes(disk, log) : 0;
        for (Path spool : isLog ? list(disk, log) : List.<Path>of()) {
          String name = SpoolNames.of(spool);
          boolean isSpool = SpoolNames.isSpoolLike(name);
          long bytes = isSpool ? bytes(disk, spool) : 0;
          room += bytes; // what spools have taken is available to spools
          boolean isCounted = isSpool && name.startsWith(SpoolNames.FLIGHT) == isOfLoops;
          others += isCounted && !own.contains(SpoolNames.instance(spool)) ? bytes : 0;
        }
      }
      long limit = sharedSpoolBytes(room, MemoryLimit.bytes());
      return new SpoolBudget.Reading(others, isOfLoops ? limit / LOOPS_PART : limit);
    }
  }
}
