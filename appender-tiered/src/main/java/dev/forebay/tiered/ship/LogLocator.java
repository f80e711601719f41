package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the log, on the shipper's thread before it does anything else: resolving links may
 * take as long as the log's disk hangs. The spool does not wait that long.
 */
public final class LogLocator implements Runnable, Supplier<LogIdentity> {

  private static final long PATIENCE_NS = 250_000_000;

  private final Disk disk;
  private final Path log;
  private final @Nullable Slots slots;

  /** Whether links are resolved, which waits for the log's disk. */
  private final boolean resolves;

  /** Written once, by the shipper's thread. */
  private volatile @Nullable LogIdentity located;

  /** Set before the shipper's thread starts; run by it. */
  private @Nullable Runnable onLocated;

  /** The first time; null before. Flusher's thread only. */
  private @Nullable Long askedNs;

  /** Of a stream, if there are slots, or else of this file. */
  public LogLocator(Disk disk, Path log, @Nullable Slots slots) {
    this(disk, log, slots, true);
  }

  /** As the other; without resolving links if nothing on the log's disk may be touched. */
  public LogLocator(Disk disk, Path log, @Nullable Slots slots, boolean resolves) {
    this.resolves = resolves;
    this.disk = disk;
    this.log = log;
    this.slots = slots;
  }

  /** The log of a spool created now; null if that will be known soon. Flusher's thread. */
  public @Nullable LogIdentity find(long nowNs) {
    LogIdentity known = located;
    if (known != null) {
      return known;
    }
    if (askedNs == null) {
      askedNs = nowNs;
    }
    boolean waits = slots != null || nowNs - askedNs < PATIENCE_NS; // a stream is on no disk
    return waits ? null : LogIdentity.unresolved(disk, log);
  }

  /** Sets what to run once the log is located: the flusher waits for it. */
  public void whenLocated(Runnable action) {
    onLocated = action;
  }

  /** Whether the log is other than {@link #find} guessed while the disk hung. */
  public boolean isOther(LogIdentity named) {
    LogIdentity known = located;
    return known != null && !known.equals(named);
  }

  /** Resolves the path now. Called by the shipper's thread. */
  @Override
  public void run() {
    if (located == null) {
      located = slots == null ? ofFile() : slots.claim();
      if (onLocated != null) {
        onLocated.run();
      }
    }
  }

  private LogIdentity ofFile() {
    return resolves ? LogIdentity.of(disk, log) : LogIdentity.unresolved(disk, log);
  }

  /** What the tool knows the log by: its file, or the directory of a stream's spools. */
  public Path toolName() {
    SpoolDirectory slot = slots == null ? null : slots.claimed();
    return slot == null ? log : slot.path();
  }

  /** The result of {@link #run}; null before. */
  public @Nullable LogIdentity known() {
    return located;
  }

  @Override
  public LogIdentity get() {
    return Objects.requireNonNull(located, "the log is not located yet");
  }
}
