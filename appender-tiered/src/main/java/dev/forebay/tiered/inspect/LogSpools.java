package dev.forebay.tiered.inspect;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.LockOwner;
import dev.forebay.tiered.ship.CheckpointView;
import dev.forebay.tiered.ship.Stray;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.LogNote;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolFiles;
import dev.forebay.tiered.spool.SpoolView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/** The spools of one log, of all processes that wrote to it. */
public final class LogSpools {

  private final Disk disk;
  private final SpoolDirectory directory;

  LogSpools(Disk disk, SpoolDirectory directory) {
    this.disk = disk;
    this.directory = directory;
  }

  /** Their directory. */
  public Path path() {
    return directory.path();
  }

  Disk disk() {
    return disk;
  }

  SpoolDirectory directory() {
    return directory;
  }

  /** Whether they are for this log. */
  public boolean isOf(Path log) {
    return directory.isOf(LogIdentity.of(disk, log));
  }

  /** The log's path as the application configured it; "" if no spool names it. */
  public String log() throws IOException {
    LogNote note = directory.note();
    return note == null ? "" : note.path();
  }

  /** The process that ships to the log. */
  public LockOwner shipper() throws IOException {
    return LockOwner.listed(SpoolFiles.shipLock(path()));
  }

  /** How far the log's shipper is. */
  public CheckpointView checkpoint() throws IOException {
    return CheckpointView.of(disk, path());
  }

  /** Whether the log's records were last committed to this file. */
  public boolean isCommittedIn(Path file) throws IOException {
    FileInfo info = disk.stat(file);
    return info != null && !info.key().isEmpty() && info.key().equals(checkpoint().fileKey());
  }

  /** Damaged segments that were put aside. */
  public List<Path> quarantined() throws IOException {
    return SpoolFiles.quarantined(disk, path());
  }

  /** The spools that are not completely shipped, oldest first. */
  public List<SpoolFacts> spools() throws IOException {
    List<SpoolFacts> spools = new ArrayList<>();
    for (Path spool : directories()) {
      spools.add(facts(spool));
    }
    return spools;
  }

  /** The directories of these spools, oldest first. */
  public List<Path> directories() throws IOException {
    return SpoolFiles.spools(disk, path());
  }

  /** Opens a spool for reading, at its oldest record. */
  public SpoolView open(Path spool) {
    return new SpoolView(disk, spool, () -> committed(spool));
  }

  /** Opens a loop for reading: what is missing at its beginning was overwritten. */
  public SpoolView openLoop(Path loop) {
    return new SpoolView(disk, loop, () -> Long.MAX_VALUE);
  }

  private long committed(Path spool) throws IOException {
    return checkpoint().firstUncommitted(SpoolFiles.instance(spool));
  }

  private SpoolFacts facts(Path spool) throws IOException {
    LockOwner owner = LockOwner.of(SpoolFiles.lock(spool));
    try (SpoolView view = open(spool)) {
      int version = view.version();
      NavigableMap<Long, Long> written = view.writtenMs();
      long bytes = SpoolFiles.bytes(disk, spool);
      boolean isReadable = version == SpoolView.readableVersion();
      long end = isReadable ? view.endSequence() : 0;
      long committed = isReadable ? committed(spool) : 0;
      long first = isReadable && !written.isEmpty() ? written.firstKey() : end;
      return new SpoolFacts(
          spool,
          owner,
          version,
          bytes,
          written.size(),
          first,
          end,
          committed,
          committed < end ? oldestMs(written, committed) : 0);
    }
  }

  /** The loops of flight recorders, oldest first. */
  public List<LoopFacts> loops() throws IOException {
    List<LoopFacts> loops = new ArrayList<>();
    for (Path loop : SpoolFiles.loops(disk, path())) {
      loops.add(loopFacts(loop));
    }
    return loops;
  }

  /** The directories of JVMs, oldest first. */
  public List<JvmLogFacts> jvmLogs() throws IOException {
    List<JvmLogFacts> logs = new ArrayList<>();
    for (Path path : directory.jvmDirectories()) {
      LockOwner owner = LockOwner.of(SpoolFiles.lock(path));
      logs.add(new JvmLogFacts(path, owner, SpoolFiles.jvmBytes(disk, path)));
    }
    return logs;
  }

  /**
   * Deletes what dead processes left, but not their loops.
   *
   * @return how many records were not committed to the log
   */
  public long discard() throws IOException {
    return Stray.discard(directory);
  }

  private LoopFacts loopFacts(Path loop) throws IOException {
    LockOwner owner = LockOwner.of(SpoolFiles.lock(loop));
    try (SpoolView view = openLoop(loop)) {
      int version = view.version();
      NavigableMap<Long, Long> written = view.writtenMs();
      boolean isReadable = version == SpoolView.readableVersion() && !written.isEmpty();
      return new LoopFacts(
          loop,
          owner,
          version,
          SpoolFiles.bytes(disk, loop),
          written.size(),
          isReadable ? Math.max(0, view.endSequence() - written.firstKey()) : 0,
          isReadable ? view.begunMs() : 0);
    }
  }

  /** The segment that holds the first uncommitted record, or else the oldest one. */
  private static long oldestMs(NavigableMap<Long, Long> written, long committed) {
    Map.Entry<Long, Long> at = written.floorEntry(committed);
    Map.Entry<Long, Long> oldest = at == null ? written.firstEntry() : at;
    return oldest == null ? 0 : oldest.getValue();
  }
}
