package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.SpoolBudget;
import dev.forebay.tiered.spool.SpoolSurvey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The budgets that the spools of one process share: one for each place in the file system, since
 * each has its own space, and one for all spools in the heap. Thread-safe.
 */
final class SpoolBudgets {

  /** The instance shared by all appenders of a process that one class loader loads. */
  static final SpoolBudgets OF_PROCESS = new SpoolBudgets();

  /** By the directory that holds the spools of a user; few, and never removed. */
  private final Map<Path, SpoolBudget> places = new ConcurrentHashMap<>();

  /** Created on first use; guarded by this. */
  private @Nullable SpoolBudget heap;

  /** The budget of the spools below a directory. */
  SpoolBudget at(Disk disk, Path userDirectory, NanoClock clock) {
    SpoolBudget known = places.get(userDirectory);
    if (known == null) {
      SpoolBudget fresh = new SpoolBudget(new Place(disk, userDirectory), clock);
      known = places.putIfAbsent(userDirectory, fresh);
      return known == null ? fresh : known;
    }
    return known;
  }

  /** The budget of spools in the heap. */
  synchronized SpoolBudget inHeap() {
    SpoolBudget known = heap;
    if (known == null) {
      long bytes = MemoryBudget.heapSpoolBytes(Runtime.getRuntime().maxMemory(), null);
      SpoolBudget.Reading whole = new SpoolBudget.Reading(0, 0, bytes);
      known = new SpoolBudget(own -> whole, NanoClock.SYSTEM);
      heap = known;
    }
    return known;
  }

  /** Measures the file system of a directory that holds the spools of a user. */
  private record Place(Disk disk, Path userDirectory) implements SpoolBudget.Gauge {

    @Override
    public SpoolBudget.Reading read(Set<InstanceId> own) throws IOException {
      SpoolSurvey survey = SpoolSurvey.of(disk, userDirectory, own);
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
}
