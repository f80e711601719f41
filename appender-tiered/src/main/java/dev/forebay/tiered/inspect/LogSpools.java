package dev.forebay.tiered.inspect;

import dev.forebay.tiered.checkpoint.CheckpointView;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.LockOwner;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.identity.LogNote;
import dev.forebay.tiered.identity.ShipperNote;
import dev.forebay.tiered.inspect.SpoolFacts.Kind;
import dev.forebay.tiered.jvm.LineFiles;
import dev.forebay.tiered.ship.Stray;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolNames;
import dev.forebay.tiered.spool.SpoolView;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** The spools of one log, of all processes of this user that wrote to it. */
public final class LogSpools {

  private final SpoolDirectory directory;
  private final Disk disk;

  private LogSpools(SpoolDirectory directory) {
    this.directory = directory;
    this.disk = directory.disk();
  }

  /** The spools of all logs below each {@code <spoolDirectory>}; none if that does not exist. */
  public static List<LogSpools> below(Path... bases) throws IOException {
    List<LogSpools> logs = new ArrayList<>();
    for (Path base : bases) {
      SpoolDirectory.all(NioDisk.current(), base, path -> false)
          .forEach(found -> logs.add(new LogSpools(found)));
    }
    return logs;
  }

  public Path path() {
    return directory.path();
  }

  SpoolDirectory directory() {
    return directory;
  }

  public boolean isOf(Path log) {
    return directory.isOf(LogIdentity.of(disk, log));
  }

  /** The log's path as the application configured it; "" if no spool names it. */
  public String log() throws IOException {
    LogNote note = directory.note();
    return note == null ? "" : note.path();
  }

  /** Whether records begin with attributes. */
  public boolean hasAttributes() throws IOException {
    LogNote note = directory.note();
    return note != null && note.hasAttributes();
  }

  /** Files with lines that the destination refused, and that were set aside. */
  public List<Path> refused() throws IOException {
    List<Path> refused = new ArrayList<>(disk.list(path()));
    refused.removeIf(file -> !SpoolNames.isRefused(file));
    return refused;
  }

  /** The process that ships this log. One in another container is seen only if it has a note. */
  public LockOwner shipper() throws IOException {
    Path lock = SpoolNames.shipLock(path());
    return ShipperNote.read(disk, path()) == null ? LockOwner.listed(lock) : LockOwner.of(lock);
  }

  /** What a process says that ships this log for others; null if there is none. */
  public @Nullable ShipperNote shipperNote() throws IOException {
    ShipperNote note = ShipperNote.read(disk, path());
    return note != null && LockOwner.of(SpoolNames.shipLock(path())).isHeld() ? note : null;
  }

  public CheckpointView checkpoint() throws IOException {
    return CheckpointView.of(disk, path());
  }

  /** Whether the log's records were last committed to this file. */
  public boolean isCommittedIn(Path file) throws IOException {
    FileInfo info = disk.stat(file);
    return info != null && !info.key().isEmpty() && info.key().equals(checkpoint().fileKey());
  }

  /** What is shipped to the log: spools of events and of JVMs' lines. */
  public List<SpoolFacts> shipped() throws IOException {
    return facts(Kind.SPOOL, Kind.JVM);
  }

  /** One kind after the other, each as {@link #directories}. */
  public List<SpoolFacts> facts(Kind... kinds) throws IOException {
    List<SpoolFacts> all = new ArrayList<>();
    for (Kind kind : kinds) {
      for (Path path : directories(kind)) {
        LockOwner owner = LockOwner.of(SpoolNames.lock(path));
        all.add(kind == Kind.JVM ? lines(path, owner) : facts(kind, path, owner));
      }
    }
    return all;
  }

  /** The directories of a kind that are not completely shipped or dumped, oldest first. */
  public List<Path> directories(Kind kind) throws IOException {
    try {
      return directory.list(kind.word);
    } catch (NoSuchFileException e) {
      return List.of(); // it goes with the last of them, and returns with the next process
    }
  }

  /**
   * Opens a spool or a loop for reading, at its oldest record. What is missing at the beginning of
   * a loop was overwritten.
   */
  public SpoolView open(Path spool) {
    return new SpoolView(
        disk, spool, () -> SpoolNames.isSpool(spool) ? committed(spool) : Long.MAX_VALUE);
  }

  private long committed(Path spool) throws IOException {
    return checkpoint().position(SpoolNames.instance(spool)).sequence();
  }

  /** Deletes what dead processes left, not their loops; returns how many were uncommitted. */
  public long discard() throws IOException {
    return Stray.discard(directory);
  }

  /** The lines of a JVM that lives, or has just died, are not counted. */
  private SpoolFacts lines(Path path, LockOwner owner) throws IOException {
    long bytes = LineFiles.bytesIn(disk, path);
    long end = Math.max(0, LineFiles.endOf(disk, path));
    long committed = Math.min(end, committed(path));
    return new SpoolFacts(Kind.JVM, path, owner, 0, bytes, 0, 0, end, committed, 0);
  }

  private SpoolFacts facts(Kind kind, Path path, LockOwner owner) throws IOException {
    boolean isLoop = kind == Kind.LOOP;
    try (SpoolView view = open(path)) {
      int version = view.version();
      NavigableMap<Long, Long> written = view.writtenMs();
      long bytes = SpoolBudgets.bytes(disk, path);
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
