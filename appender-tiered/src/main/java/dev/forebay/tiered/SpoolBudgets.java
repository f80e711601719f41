package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.SpoolSurvey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The budgets that the spools of one process share: one for each place in the file system, since
 * each has its own space, and one for all spools in the heap. Thread-safe.
 */
final class SpoolBudgets {

  /** The instance shared by all appenders of a process that one class loader loads. */
  static final SpoolBudgets OF_PROCESS = new SpoolBudgets();

  /** By the directory that holds the spools of a user; few, and never removed. */
  private final Map<Path, SpoolBudget> places = new ConcurrentHashMap<>();

  private final SpoolBudget heap;

  /** With nothing taken yet. */
  SpoolBudgets() {
    long heapBytes = MemoryBudget.heapSpoolBytes(Runtime.getRuntime().maxMemory(), null);
    SpoolBudget.Reading whole = new SpoolBudget.Reading(0, heapBytes);
    heap = new SpoolBudget(own -> whole, NanoClock.SYSTEM);
  }

  /** The budget of the spools below a directory. */
  SpoolBudget at(Disk disk, Path userDirectory, NanoClock clock) {
    return places.computeIfAbsent(
        userDirectory, path -> new SpoolBudget(own -> read(disk, path, own::contains), clock));
  }

  /** The budget of spools in the heap. */
  SpoolBudget inHeap() {
    return heap;
  }

  private static SpoolBudget.Reading read(
      Disk disk, Path userDirectory, Predicate<InstanceId> isOwn) throws IOException {
    SpoolSurvey survey = SpoolSurvey.of(disk, userDirectory, isOwn);
    // Bytes that spools have taken are available to spools.
    long room =
        disk.usableBytes(userDirectory)
            + survey.ownBytes()
            + survey.othersBytes()
            + survey.loopBytes();
    return new SpoolBudget.Reading(
        survey.othersBytes(),
        survey.loopBytes(),
        MemoryBudget.sharedSpoolBytes(room, new MemoryLimit().bytes()));
  }
}
