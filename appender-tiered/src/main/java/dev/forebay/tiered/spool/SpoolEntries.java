package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a log's directory by their names: what each is, whether it is ours, and its lock.
 * Nothing here opens a segment; {@link SpoolDirectory} decides what becomes of a spool.
 */
record SpoolEntries(Disk disk, Path directory, Warnings warnings) {

  /** All entries named like a spool. */
  List<Path> all() throws IOException {
    return startingWith("");
  }

  /** Entries named like a spool whose name begins with this word, oldest first. */
  List<Path> startingWith(String word) throws IOException {
    List<Path> entries = new ArrayList<>();
    for (Path entry : disk.list(directory)) {
      String name = SpoolNames.of(entry);
      if (name.startsWith(word) && SpoolNames.isSpoolLike(name)) {
        entries.add(entry);
      }
    }
    entries.sort(null);
    return entries;
  }

  /** Spools of either kind, oldest first. */
  List<Path> spools() throws IOException {
    List<Path> entries = new ArrayList<>();
    for (Path entry : all()) {
      if (SpoolNames.isSpool(entry) || SpoolNames.isLines(entry)) {
        entries.add(entry);
      }
    }
    if (entries.size() > 1) {
      entries.sort(Comparator.comparing(entry -> SpoolNames.suffix(SpoolNames.of(entry))));
    }
    return entries;
  }

  /** The spool of this identity; null if there is none. */
  @Nullable Path find(InstanceId instance) throws IOException {
    for (Path spool : spools()) {
      if (SpoolNames.instance(spool).equals(instance)) {
        return spool;
      }
    }
    return null;
  }

  /** A counter above those of all spools, including shipped ones. */
  long nextCounter() throws IOException {
    long highest = -1;
    for (Path entry : all()) {
      highest = Math.max(highest, SpoolNames.counter(entry));
    }
    return highest + 1;
  }

  /** Takes the lock of a spool; null if it has an owner or is not ours. */
  @Nullable SpoolLease tryLease(Path spool) throws IOException {
    SpoolLock lock = isOurs(spool) ? SpoolLock.tryTake(disk, SpoolNames.lock(spool)) : null;
    return lock == null ? null : new SpoolLease(disk, spool, lock);
  }

  void delete(Path spool) {
    try {
      if (isOurs(spool)) {
        SpoolLease.deleteDirectory(disk, spool);
      }
    } catch (NoSuchFileException e) {
      // Another process has just renamed or deleted it.
    } catch (IOException e) {
      warnings.add("cannot delete " + spool + ": " + e);
    }
  }

  void deleteAbandoned(Path spool) {
    try (SpoolLease lease = tryLease(spool)) {
      if (lease != null) {
        lease.delete();
      }
    } catch (NoSuchFileException e) {
      // The entry was just deleted.
    } catch (IOException e) {
      warnings.add("cannot delete " + spool + ": " + e);
    }
  }

  /** As {@link SpoolDirectory#cleanUp}. */
  void cleanUp(long nowMs) throws IOException {
    for (Path entry : disk.list(directory)) {
      String name = SpoolNames.of(entry);
      if (name.startsWith(SpoolNames.BAD)) {
        deleteSetAside(entry, nowMs);
      } else if (SpoolNames.isSpoolLike(name) && name.startsWith(SpoolNames.DONE)) {
        delete(entry);
      } else if (SpoolNames.isSpoolLike(name)
          && name.startsWith(SpoolNames.FLIGHT)
          && isOld(entry, SpoolLease.lastWrittenMs(disk, entry), nowMs)) {
        deleteAbandoned(entry);
      }
    }
  }

  private boolean isOld(Path entry, long writtenMs, long nowMs) {
    return disk.isOlder(entry, writtenMs, nowMs, SpoolDirectory.LIMIT_AGE_MS);
  }

  private void deleteSetAside(Path entry, long nowMs) throws IOException {
    FileInfo info = disk.stat(entry);
    if (info != null
        && info.kind() == FileInfo.Kind.FILE
        && isOld(entry, info.modifiedMs(), nowMs)) {
      try {
        disk.delete(entry);
      } catch (IOException e) {
        warnings.add("cannot delete " + entry + ": " + e);
      }
    }
  }

  void removeUnlessUsed(SpoolLock held, Set<String> leftovers) throws IOException {
    for (Path entry : disk.list(directory)) {
      String name = SpoolNames.of(entry);
      if (!name.equals(SpoolNames.SHIP_LOCK) && !leftovers.contains(name)) {
        return;
      }
    }
    for (String name : leftovers) {
      disk.delete(directory.resolve(name));
    }
    held.letGo();
    disk.delete(SpoolNames.shipLock(directory));
    disk.delete(directory);
    try {
      disk.delete(directory.resolveSibling("")); // a process about to use it recreates it
    } catch (IOException e) {
      // It holds other logs, or is not ours to remove.
    }
  }

  private boolean isOurs(Path spool) throws IOException {
    FileInfo info = disk.stat(spool);
    if (info == null) {
      return false;
    }
    String fault = Trust.directoryFault(disk, spool, info);
    if (fault != null) {
      warnings.add("ignored " + spool + ": " + fault);
    }
    return fault == null;
  }
}
