package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A spool that another process fills, and that is read up to its {@link SpoolHead}. Nothing in it
 * is changed: its owner reads in the checkpoint what is committed, and frees that itself. For the
 * shipper's thread.
 */
public final class LiveSpool implements OwnSpool, SegmentFeed {

  private final Disk disk;
  private final Path path;
  private final Warnings warnings;
  private final RecordSource source;

  /** Null for segments with frames. */
  private final OtherForm.@Nullable Files files;

  private @Nullable DiskFile head;

  /** The newest that was read. */
  private SpoolHead.View view = new SpoolHead.View(0, 0, false);

  /** The segments of the records before this one are known. */
  private long listedTo;

  /** Segments that the reader has not taken in. */
  private final NavigableMap<Long, Segment> found = new TreeMap<>();

  /** First sequence of the newest segment that was found; -1 before the first. */
  private long newest = -1;

  private LiveSpool(Disk disk, Path path, OtherForm.@Nullable Files files, Warnings warnings) {
    this.disk = disk;
    this.path = path;
    this.files = files;
    this.warnings = warnings;
    this.source = new RecordSource(disk, SpoolLease.foreign(disk, path), this, warnings);
  }

  /** Those in a directory that living processes have others ship, oldest first. */
  public static List<LiveSpool> in(
      SpoolDirectory directory, Predicate<InstanceId> isKnown, OtherForm lines) throws IOException {
    Disk disk = directory.disk();
    List<LiveSpool> live = new ArrayList<>();
    List<Path> spools = new ArrayList<>(directory.list(SpoolNames.SPOOL));
    spools.addAll(directory.list(SpoolNames.LINES));
    for (Path spool : spools) {
      FileInfo info = disk.stat(spool);
      boolean isTrusted = info != null && Trust.directoryFault(info, disk.userId()) == null;
      boolean isNew = isTrusted && !isKnown.test(SpoolNames.instance(spool));
      if (isNew && SpoolHead.isIn(disk, spool, directory.warnings)) {
        boolean isLines = SpoolNames.isLines(spool);
        OtherForm.Files files = isLines ? lines.live(directory, spool) : null;
        LiveSpool one = new LiveSpool(disk, spool, files, directory.warnings);
        if ((files != null || !isLines) && one.isOwned()) {
          live.add(one);
        }
      }
    }
    return live;
  }

  @Override
  public RecordSource source() {
    return source;
  }

  /** Whether its owner adds nothing more; read with the last {@link #publishedSequence}. */
  public boolean isRetired() {
    return view.isRetired();
  }

  /** Up to which record somebody waits for a commit; read with the same. */
  public long awaited() {
    return view.awaited();
  }

  /**
   * Whether another process holds its lock, as far as that is known. Takes the lock for a moment if
   * none does.
   */
  public boolean isOwned() {
    SpoolLock taken = null;
    try {
      taken = SpoolLock.tryTake(disk, SpoolNames.lock(path));
      return taken == null;
    } catch (NoSuchFileException e) {
      return false; // it is just being deleted
    } catch (IOException e) {
      warnings.add("cannot see whether " + path + " has an owner: " + e.getMessage());
      return true;
    } finally {
      SpoolLock.close(taken);
    }
  }

  @Override
  public long firstSequence() {
    long first = Long.MAX_VALUE;
    try {
      if (files != null) {
        return files.firstSequence();
      }
      for (Path entry : disk.list(path)) {
        long sequence = SpoolNames.firstSequence(SpoolNames.of(entry));
        first = sequence < 0 ? first : Math.min(first, sequence);
      }
    } catch (IOException e) {
      return 0; // its owner deletes it
    }
    return first == Long.MAX_VALUE ? 0 : first;
  }

  /** Reads the head again, unless that fails. */
  @Override
  public long publishedSequence() {
    try {
      DiskFile open = head;
      if (open == null) {
        open = disk.open(path.resolve(SpoolHead.NAME), Disk.Mode.READ);
        head = open;
      }
      SpoolHead.View read = SpoolHead.read(open);
      view = read == null ? view : read;
    } catch (IOException e) {
      closeFile(); // its owner deletes it, or has moved on
    }
    return view.published();
  }

  /** Not more than what is in known segments: to the reader, a missing one is lost. */
  @Override
  public long limit() {
    long published = publishedSequence();
    if (listedTo != published) {
      try {
        list();
        listedTo = published;
      } catch (NoSuchFileException e) {
        listedTo = published; // it was removed
      } catch (IOException e) {
        warnings.add("cannot look for segments in " + path + ": " + e);
      }
    }
    return listedTo;
  }

  /** Whether all that is shown can be found. */
  public boolean isListed() {
    return limit() >= view.published();
  }

  @Override
  public boolean isLive() {
    return true; // also once it is retired: its owner ends it
  }

  @Override
  public SegmentContent content(InstanceId spool) {
    return files == null ? FrameContent.live(spool) : files.content(spool);
  }

  @Override
  public void addNew(NavigableMap<Long, Segment> segments, long wanted) {
    if (files != null) {
      files.addNew(segments, wanted);
    }
    segments.putAll(found);
    found.clear();
  }

  private void list() throws IOException {
    if (files != null) {
      files.list();
      return;
    }
    List<Segment> fresh = new ArrayList<>();
    for (Path entry : disk.list(path)) {
      long first = SpoolNames.firstSequence(SpoolNames.of(entry));
      if (first > newest && isOurs(entry)) {
        fresh.add(new Segment(first, entry));
      }
    }
    for (Segment segment : fresh) { // not before all are known
      found.put(segment.firstSequence, segment);
      newest = Math.max(newest, segment.firstSequence);
    }
  }

  @Override
  public void retire(Segment segment) {
    if (files != null) {
      files.retire(segment);
    }
  }

  private boolean isOurs(Path segment) throws IOException {
    FileInfo info = disk.stat(segment);
    String fault = info == null ? "was removed" : Trust.fileFault(disk, segment, info);
    if (info != null && fault != null) {
      warnings.add("ignored " + segment + ": " + fault);
    }
    return fault == null;
  }

  @Override
  public long usedBytes() {
    return 0;
  }

  @Override
  public long limitBytes() {
    return 0;
  }

  @Override
  public void rest() {
    source.closeFile(); // to find the place again takes milliseconds
    closeFile();
  }

  @Override
  public void closeFile() {
    DiskFile.closeQuietly(head);
    head = null;
  }

  @Override
  public void close() {
    source.closeFile();
    closeFile();
  }

  /** Leaves it to its owner, which deletes it. */
  @Override
  public void discard() {
    close();
  }
}
