package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A directory beside the spools of a log, into which the JVM writes its own log. It is locked while
 * its owner lives. What a dead owner left there becomes an ordinary spool, in one step. For one
 * thread at a time.
 */
public final class JvmDirectory implements Closeable {
  /** Name of the file that the JVM is told to write; with a number appended for older ones. */
  public static final String LOG = "jvm.log";

  /** Name of the file with the path of what the JVM writes, if that is elsewhere. */
  public static final String OUTPUT = "output";

  /** Name of the file that says which of the JVM's lines are in a spool. */
  public static final String POSITION = "position";

  /** End of the names of our links to the JVM's files. */
  public static final String LINK = ".ul";

  private static final Pattern OTHER_NAME =
      Pattern.compile(Pattern.quote(LOG) + "(?:\\.\\d+)?|[0-9a-f]{16}" + Pattern.quote(LINK));

  private static final int SEGMENT_BYTES = 1 << 20;

  private final Disk disk;
  private final SpoolLease lease;

  JvmDirectory(Disk disk, SpoolLease lease) {
    this.disk = disk;
    this.lease = lease;
  }

  /** Takes over those whose owner is gone, oldest first; all or none. */
  static List<JvmDirectory> orphans(Disk disk, SpoolEntries entries) throws IOException {
    List<JvmDirectory> orphans = new ArrayList<>();
    boolean isDone = false;
    try {
      for (Path entry : entries.startingWith(SpoolNames.JVM)) {
        SpoolLock lock = entries.tryLockSpool(entry);
        if (lock != null) {
          InstanceId instance = SpoolNames.instance(SpoolNames.of(entry));
          SpoolLease lease = new SpoolLease(disk, entry, instance, lock);
          orphans.add(new JvmDirectory(disk, lease));
        }
      }
      isDone = true;
    } finally {
      if (!isDone) {
        orphans.forEach(JvmDirectory::close);
      }
    }
    return orphans;
  }

  /** Writes records. */
  @FunctionalInterface
  public interface Records {
    /** Appends all of them; whatever is not flushed is flushed by the caller. */
    void writeTo(SpoolWriter writer) throws IOException;
  }

  /** Its path. */
  public Path path() {
    return lease.path();
  }

  /** The disk it is on. */
  public Disk disk() {
    return disk;
  }

  /** Whether it and its lock are still where they were created. */
  public boolean isIntact() {
    return lease.isIntact();
  }

  /**
   * Has the spool that it becomes come directly after this one, which was created later by the same
   * process; does nothing if that is gone.
   */
  public void followSpool(InstanceId spool) throws IOException {
    for (Path entry : disk.list(lease.path().resolveSibling(""))) {
      String name = SpoolNames.of(entry);
      if (SpoolNames.isSpoolLike(name) && SpoolNames.instance(name).equals(spool)) {
        long counter = SpoolNames.counter(name);
        Path now =
            lease
                .path()
                .resolveSibling(SpoolNames.JVM + SpoolNames.spoolSuffix(counter, spool.next()));
        if (!now.equals(lease.path())) {
          disk.move(lease.path(), now);
          lease.movedTo(now);
        }
      }
    }
  }

  /**
   * Turns it into a spool with these records. It keeps its counter, so it comes after the spool of
   * the same process, and before those of later ones. The last step is a rename: if an earlier one
   * fails, or the process is killed, the next call begins again.
   */
  public void becomeSpool(Records records) throws IOException {
    for (Path entry : disk.list(lease.path())) {
      if (SpoolNames.isSegmentOrSpare(SpoolNames.of(entry))) {
        disk.delete(entry); // of an attempt that was not completed
      }
    }
    SpoolLimits limits = new SpoolLimits(Long.MAX_VALUE, SEGMENT_BYTES).withoutSpares();
    SegmentPool pool = new SegmentPool(disk, lease, limits);
    SpoolWriter writer = new SpoolWriter(disk, pool, lease.instance(), limits);
    try {
      records.writeTo(writer);
      writer.flush();
    } finally {
      writer.close();
    }
    String suffix = SpoolNames.suffix(SpoolNames.of(lease.path()));
    Path spool = lease.path().resolveSibling(SpoolNames.SPOOL + suffix);
    disk.move(lease.path(), spool);
    lease.movedTo(spool);
    deleteOthers();
  }

  /** Length of the JVM's files in such a directory; several names of a file count once. */
  static long bytesIn(Disk disk, Path directory) throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (Path entry : SpoolFiles.list(disk, directory)) {
      FileInfo info = OTHER_NAME.matcher(SpoolNames.of(entry)).matches() ? disk.stat(entry) : null;
      if (info != null) {
        bytes.put(info.key(), info.sizeBytes());
      }
    }
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Frees the memory of what is in the segments now; the rest goes with the spool. */
  private void deleteOthers() throws IOException {
    for (Path entry : disk.list(lease.path())) {
      if (belongsToIt(SpoolNames.of(entry))) {
        disk.delete(entry);
      }
    }
  }

  /** Whether a file of this name is one of the JVM's, a link to one, or says what was read. */
  static boolean belongsToIt(String name) {
    return name.equals(POSITION) || name.equals(OUTPUT) || OTHER_NAME.matcher(name).matches();
  }

  /** Frees the lock and keeps the files for the next shipper. */
  @Override
  public void close() {
    lease.close();
  }

  /** Deletes it with all files. If it throws, it stays locked; can be called again. */
  public void discard() throws IOException {
    lease.discard();
  }
}
