package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.MemoryFileSystem;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.Spool;
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
 * Where the spool can be: the wanted directory or, when that cannot be used, the JVM's temporary
 * directory. For the flusher's thread.
 */
final class SpoolSites {

  private static final long RETRY_NS = 1_000_000_000;

  /** While the spool is in the second-best place, how often the wanted one is tried again. */
  private static final long RETURN_NS = 10_000_000_000L;

  /** A spool that was opened, for which log, and whether it is where the user wants it. */
  record Berth(SpoolDirectory directory, Spool spool, LogIdentity log, boolean wanted) {}

  private final Disk disk;
  private final TieredSettings settings;
  private final LogLocator locator;
  private final NanoClock clock;
  private final Consumer<String> warnings;
  private final Path fallback;
  private boolean tried;
  private boolean toldNowhere;
  private boolean toldFallback;
  private boolean toldSize;
  private long nextTryNs;

  SpoolSites(
      Disk disk,
      TieredSettings settings,
      LogLocator locator,
      NanoClock clock,
      Consumer<String> warnings) {
    this.disk = disk;
    this.settings = settings;
    this.locator = locator;
    this.clock = clock;
    this.warnings = warnings;
    this.fallback = Path.of(System.getProperty("java.io.tmpdir", "/tmp")).toAbsolutePath();
  }

  /** Opens a spool in the best place there is; null when there is none or it is not yet time. */
  @Nullable Berth open() {
    long nowNs = clock.nanoTime();
    LogIdentity log = locator.find(nowNs);
    if (log == null || tried && nowNs - nextTryNs < 0) {
      return null;
    }
    tried = true;
    nextTryNs = nowNs + RETRY_NS;
    String wantedProblem;
    try {
      Berth berth = open(settings.spoolDirectory(), log, true);
      warnIfOnDisk(berth);
      return berth;
    } catch (IOException e) {
      wantedProblem = describe(e);
    }
    if (fallback.equals(settings.spoolDirectory())) {
      tellNowhere(wantedProblem);
      return null;
    }
    try {
      Berth berth = open(fallback, log, false);
      tellFallback(wantedProblem);
      nextTryNs = nowNs + RETURN_NS;
      return berth;
    } catch (IOException e) {
      tellNowhere(wantedProblem + "; " + describe(e));
      return null;
    }
  }

  /** Whether {@link #open} knew for which log, and so made an attempt. */
  boolean hasTried() {
    return tried;
  }

  /** The wanted place, after the second-best was used; null while it cannot be had. */
  @Nullable Berth openWanted(Berth used) {
    LogIdentity log = used.log();
    long nowNs = clock.nanoTime();
    if (nowNs - nextTryNs < 0) {
      return null;
    }
    nextTryNs = nowNs + RETURN_NS;
    try {
      Berth berth = open(settings.spoolDirectory(), log, true);
      toldFallback = false;
      warnings.accept("spooling in the wanted <spoolDirectory> again: " + berth.directory().path());
      return berth;
    } catch (IOException e) {
      return null;
    }
  }

  /** Whether a spool is still where its log's spools belong. */
  boolean isInPlace(Berth used) {
    return used.spool().isPathIntact() && !locator.isOther(used.log());
  }

  /** Directories of this log in places other than {@code used}, which may hold older spools. */
  List<SpoolDirectory> others(Berth used) {
    List<SpoolDirectory> others = new ArrayList<>();
    Path usual = Path.of(TieredOptions.DEFAULT_SPOOL_DIRECTORY); // it may have been wanted before
    for (Path base : List.of(settings.spoolDirectory(), fallback, usual)) {
      try {
        SpoolDirectory directory = SpoolDirectory.openExisting(disk, base, used.log());
        if (directory != null
            && !directory.path().equals(used.directory().path())
            && others.stream().noneMatch(other -> other.path().equals(directory.path()))) {
          others.add(directory);
        }
      } catch (IOException e) {
        // What cannot be opened now is no place where we could have spooled.
      }
    }
    return others;
  }

  /** Twice, because another process may just remove the directory of the log as it leaves. */
  private Berth open(Path base, LogIdentity log, boolean wanted) throws IOException {
    try {
      return openOnce(base, log, wanted);
    } catch (IOException e) {
      return openOnce(base, log, wanted);
    }
  }

  private Berth openOnce(Path base, LogIdentity log, boolean wanted) throws IOException {
    SpoolDirectory directory = SpoolDirectory.open(disk, base, log);
    directory.takeWarnings().forEach(warnings);
    long free = disk.usableBytes(directory.path());
    OptionalLong limit = new MemoryLimit().bytes();
    Long configured = settings.spoolBytes();
    long bytes =
        configured != null
            ? configured
            : MemoryBudget.defaultSpoolBytes(free, limit, settings.segmentBytes());
    if (MemoryFileSystem.holds(directory.path())) {
      warnIfTooLarge(bytes, limit);
    }
    Spool spool = directory.createSpool(new SpoolLimits(bytes, settings.segmentBytes()));
    return new Berth(directory, spool, log, wanted);
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

  private void warnIfOnDisk(Berth berth) {
    if (!toldFallback && !MemoryFileSystem.holds(berth.directory().path())) {
      toldFallback = true;
      warnings.accept(
          "<spoolDirectory> %s is not on tmpfs: while its disk stalls, events wait in the ring, and are dropped when it is full"
              .formatted(settings.spoolDirectory()));
    }
  }

  private void tellFallback(String problem) {
    if (!toldFallback) {
      toldFallback = true;
      warnings.accept(
          "<spoolDirectory> cannot be used: %s; spooling in %s, where a disk that stalls fills the ring; trying again every %d s"
              .formatted(problem, fallback, RETURN_NS / 1_000_000_000));
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
