package dev.forebay.tiered.inspect;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.LockOwner;
import dev.forebay.tiered.file.CheckpointView;
import dev.forebay.tiered.file.FileDestination;
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

  /** The spools that are not completely shipped, oldest first. */
  public List<SpoolFacts> spools() throws IOException {
    return facts(SpoolFacts.Kind.SPOOL, directories());
  }

  /** The loops of flight recorders, oldest first. */
  public List<SpoolFacts> loops() throws IOException {
    return facts(SpoolFacts.Kind.LOOP, SpoolFiles.loops(disk, path()));
  }

  /** What JVMs wrote to their own logs, oldest first. */
  public List<SpoolFacts> jvmLogs() throws IOException {
    return facts(SpoolFacts.Kind.JVM, directory.lineSpools());
  }

  /** What is shipped to the log: spools, and what JVMs wrote. */
  public List<SpoolFacts> shipped() throws IOException {
    List<SpoolFacts> shipped = new ArrayList<>(spools());
    shipped.addAll(jvmLogs());
    return shipped;
  }

  /** All of these. */
  public List<SpoolFacts> all() throws IOException {
    List<SpoolFacts> all = new ArrayList<>(shipped());
    all.addAll(loops());
    return all;
  }

  /** The directories of the spools, oldest first. */
  public List<Path> directories() throws IOException {
    return SpoolFiles.spools(disk, path());
  }

  /**
   * Opens a spool or a loop for reading, at its oldest record. What is missing at the beginning of
   * a loop was overwritten.
   */
  public SpoolView open(Path spool) {
    return new SpoolView(
        disk, spool, () -> SpoolFiles.isSpool(spool) ? committed(spool) : Long.MAX_VALUE);
  }

  private long committed(Path spool) throws IOException {
    return checkpoint().firstUncommitted(SpoolFiles.instance(spool));
  }

  /**
   * Deletes what dead processes left, but not their loops.
   *
   * @return how many records were not committed to the log
   */
  public long discard() throws IOException {
    return Stray.discard(directory, FileDestination.progressOf(directory));
  }

  private List<SpoolFacts> facts(SpoolFacts.Kind kind, List<Path> paths) throws IOException {
    List<SpoolFacts> all = new ArrayList<>();
    for (Path path : paths) {
      LockOwner owner = LockOwner.of(SpoolFiles.lock(path));
      all.add(kind == SpoolFacts.Kind.JVM ? lines(path, owner) : facts(kind, path, owner));
    }
    return all;
  }

  /** The lines of a JVM that lives, or has just died, are not counted. */
  private SpoolFacts lines(Path path, LockOwner owner) throws IOException {
    long bytes = SpoolFiles.jvmBytes(disk, path);
    long end = SpoolFiles.jvmEnd(disk, path);
    long committed = Math.min(end, committed(path));
    return new SpoolFacts(SpoolFacts.Kind.JVM, path, owner, 0, bytes, 0, 0, end, committed, 0);
  }

  private SpoolFacts facts(SpoolFacts.Kind kind, Path path, LockOwner owner) throws IOException {
    boolean isLoop = kind == SpoolFacts.Kind.LOOP;
    try (SpoolView view = open(path)) {
      int version = view.version();
      NavigableMap<Long, Long> written = view.writtenMs();
      long bytes = SpoolFiles.bytes(disk, path);
      boolean isReadable = version == SpoolView.readableVersion() && !(isLoop && written.isEmpty());
      long end = isReadable ? view.endSequence() : 0;
      long first = isReadable && !written.isEmpty() ? written.firstKey() : end;
      long committed = isReadable && !isLoop ? committed(path) : 0;
      long oldestMs = !isLoop && committed < end ? oldestMs(written, committed) : 0;
      return new SpoolFacts(
          kind,
          path,
          owner,
          version,
          bytes,
          written.size(),
          first,
          end,
          committed,
          isLoop && isReadable ? view.begunMs() : oldestMs);
    }
  }

  /** The segment that holds the first uncommitted record, or else the oldest one. */
  private static long oldestMs(NavigableMap<Long, Long> written, long committed) {
    Map.Entry<Long, Long> at = written.floorEntry(committed);
    Map.Entry<Long, Long> oldest = at == null ? written.firstEntry() : at;
    return oldest == null ? 0 : oldest.getValue();
  }
}
