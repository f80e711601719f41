package dev.forebay.tiered.file;

import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Packs {@linkplain KeptFile kept files}, on a thread of its own: reading gigabytes must not keep
 * the shipper from its log. The thread runs while there are such files. For one run of the log.
 */
final class Archivist implements Agent, ParkPolicy {
  private static final long MIN_PARK_NS = 10_000_000;
  private static final long MAX_PARK_NS = 60_000_000_000L;

  private static final long STOP_NS = 1_000_000_000;

  /** How long a waiting shipper takes a dead thread for a living one at most. */
  private static final long LOOK_MS = 100;

  /** Larger than any archive of an empty file. */
  private static final int MOST_OF_NOTHING = 1024;

  /**
   * A file to be packed.
   *
   * @param isLeft whether an earlier run left it: then a missing archive was deleted by a policy or
   *     a user
   */
  private record Job(KeptFile kept, boolean isLeft) {}

  private final Disk disk;
  private final Consumer<String> warnings;
  private final Consumer<AgentThread> starter;
  private final FailureStreak failures;

  /** Guarded by this; the shipper adds, the archivist's thread removes. */
  private final Set<Job> jobs = new LinkedHashSet<>();

  /** Those not looked at yet. Guarded by this; the same writers. */
  private final Set<Job> fresh = new HashSet<>();

  /** Guarded by this; null while there is no job. */
  private @Nullable AgentThread thread;

  /** Set by the shipper, once: there is one more look. */
  private volatile boolean stopping;

  /** Set by the shipper, once: what is being read or written is left for the next start. */
  private volatile boolean cancelled;

  /** The pause after nothing changed. Archivist's thread only. */
  private long parkNs = MIN_PARK_NS;

  /**
   * @param warnings receives warnings for the user, on the archivist's thread
   * @param starter starts a thread
   */
  Archivist(Disk disk, Consumer<String> warnings, Consumer<AgentThread> starter) {
    this.disk = disk;
    this.warnings = warnings;
    this.starter = starter;
    this.failures = new FailureStreak(warnings);
  }

  /** Hands over a file; {@code isLeft} if an earlier run kept it, whose archive is there. */
  void add(KeptFile kept, boolean isLeft) {
    add(new Job(kept, isLeft));
  }

  private synchronized void add(Job job) {
    jobs.add(job);
    fresh.add(job);
    if (thread != null) {
      thread.wake();
      return;
    }
    AgentThread next =
        new AgentThread(this, this, "forebay-archivist", NanoClock.SYSTEM, this::died, false);
    try {
      starter.accept(next);
      thread = next;
    } catch (OutOfMemoryError e) { // no thread is left; the next roll tries again
      died(e);
    }
  }

  private void died(Throwable cause) {
    warnings.accept("Archives may stay unpacked until the next start: " + cause);
  }

  /**
   * Returns when each file that was handed over was packed, or tried to be, or nobody looks any
   * more.
   */
  synchronized void awaitLooks() {
    while (thread != null && !fresh.isEmpty()) {
      try {
        wait(LOOK_MS);
      } catch (InterruptedException e) { // only wakes a thread of ours
      }
    }
  }

  /** Packs what is left, for a bounded time; the next start does the rest. */
  void stop() {
    AgentThread last;
    synchronized (this) {
      last = thread;
    }
    stopping = true;
    if (last != null) {
      last.requestStop();
      if (!last.join(2 * STOP_NS)) {
        cancelled = true;
        boolean unused = last.join(STOP_NS);
      }
    }
  }

  @Override
  public int doWork() {
    int done = pass();
    endIfUnused();
    return done;
  }

  @Override
  public boolean finish() {
    if (!stopping) {
      return true;
    }
    pass();
    synchronized (this) {
      return cancelled || jobs.isEmpty();
    }
  }

  private void endIfUnused() {
    AgentThread current;
    synchronized (this) {
      current = thread;
      if (current == null || !jobs.isEmpty()) {
        return;
      }
      thread = null;
    }
    current.requestStop();
  }

  @Override
  public long parkNs(int workDone, long nowNs) {
    parkNs = workDone > 0 ? MIN_PARK_NS : Math.min(2 * parkNs, MAX_PARK_NS);
    return parkNs;
  }

  /** Looks at all files once; returns how many are new or done. */
  private int pass() {
    List<Job> all;
    synchronized (this) {
      all = List.copyOf(jobs);
    }
    int changed = 0;
    for (Job job : all) {
      boolean isDone = false;
      try {
        isDone = isDone(job);
      } finally { // also if an Error ends the look
        synchronized (this) {
          boolean isNew = fresh.remove(job);
          changed += isNew || isDone ? 1 : 0;
          if (isDone) {
            jobs.remove(job);
          }
          notifyAll();
        }
      }
    }
    return changed;
  }

  private boolean isDone(Job job) {
    KeptFile kept = job.kept();
    try {
      boolean isDone = look(kept, job.isLeft());
      if (isDone) {
        failures.succeeded();
      }
      return isDone;
    } catch (IOException | RuntimeException | LinkageError e) {
      if (!cancelled) {
        failures.failed(
            "%s keeps the lines of the archive %s, which cannot be created; retrying each minute and at each start: %s"
                .formatted(kept.path(), kept.archive(), e));
      }
      return false;
    }
  }

  /**
   * False while the archive is missing, with which a policy replaces the empty file it got instead
   * of this one. A policy that fails is not awaited longer than a minute.
   */
  private boolean look(KeptFile kept, boolean isLeft) throws IOException {
    FileInfo info = disk.stat(kept.path());
    if (info == null || !kept.is(info, disk)) {
      return true;
    }
    boolean isMissing = disk.stat(kept.archive()) == null;
    if (isMissing && isLeft) {
      disk.delete(kept.path());
      warnings.accept(
          "The archive %s was deleted before it was packed, and so are its lines"
              .formatted(kept.archive()));
    } else if (!isMissing || stopping || parkNs == MAX_PARK_NS) {
      kept.reserve(disk);
      complete(kept);
    } else {
      return false;
    }
    return true;
  }

  private void complete(KeptFile kept) throws IOException {
    Path archive = kept.archive();
    if (!isFree(archive) && !isPacked(kept, archive)) {
      archive = kept.spare();
      warnings.accept(
          "%s is not the archive of this log, which is packed as %s; no policy will remove the latter"
              .formatted(kept.archive(), archive));
    }
    if (isFree(archive)) {
      pack(kept, archive);
    } else if (!isPacked(kept, archive)) {
      throw new IOException("its name and " + archive + " are both taken");
    }
    disk.forceDirectory(archive.resolveSibling(""));
    disk.delete(kept.path());
  }

  /** Whether the archive is missing, or that of the empty file which a policy got. */
  private boolean isFree(Path archive) throws IOException {
    FileInfo info = disk.stat(archive);
    return info == null
        || (KeptFile.isOurs(info, disk)
            && info.sizeBytes() <= MOST_OF_NOTHING
            && Packing.isOfNothing(archive));
  }

  /** Whether an earlier run had packed it. Opens only files of ours: a pipe would block. */
  private boolean isPacked(KeptFile kept, Path archive) throws IOException {
    FileInfo info = disk.stat(archive);
    try (InputStream original = open(kept.path())) {
      return info != null && KeptFile.isOurs(info, disk) && Packing.isOf(archive, original);
    }
  }

  private void pack(KeptFile kept, Path archive) throws IOException {
    Path output = kept.output();
    disk.delete(output); // a crash may have left it
    boolean isPacked = false;
    try (InputStream original = open(kept.path())) {
      Packing.pack(original, output, kept);
      force(output);
      disk.move(output, archive);
      isPacked = true;
    } finally {
      if (!isPacked) {
        disk.delete(output); // the disk may be full
      }
    }
  }

  private void force(Path file) throws IOException {
    try (DiskFile opened = disk.open(file, Disk.Mode.READ)) {
      opened.force();
    }
  }

  /** The original: whatever takes long reads it, and so ends soon after a stop. */
  private InputStream open(Path original) throws IOException {
    return new FilterInputStream(
        new BufferedInputStream(Files.newInputStream(original, LinkOption.NOFOLLOW_LINKS))) {
      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        if (cancelled) {
          throw new InterruptedIOException("the log is stopped");
        }
        return super.read(bytes, offset, length);
      }
    };
  }
}
