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
 * Checks and, where needed, packs archives again, on a thread of its own: reading gigabytes must
 * not keep the shipper from its log. The thread runs while there are {@link KeptLink links}. For
 * one run of the log.
 */
final class Archivist implements Agent, ParkPolicy {
  private static final long MIN_PARK_NS = 10_000_000;
  private static final long MAX_PARK_NS = 60_000_000_000L;

  private static final long STOP_NS = 1_000_000_000;

  /** How long a waiting shipper takes a dead thread for a living one at most. */
  private static final long LOOK_MS = 100;

  /**
   * An archive to be completed.
   *
   * @param isLeft whether an earlier run left the link
   * @param mayExpire whether a missing archive was deleted by a policy or a user
   */
  private record Job(KeptLink kept, Path active, boolean isLeft, boolean mayExpire) {}

  private final Disk disk;
  private final String pattern;
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

  /** Archivist's thread only. */
  private long parkNs = MIN_PARK_NS;

  /**
   * @param pattern file name pattern of the archives
   * @param warnings receives warnings for the user, on the archivist's thread
   * @param starter starts a thread
   */
  Archivist(Disk disk, String pattern, Consumer<String> warnings, Consumer<AgentThread> starter) {
    this.disk = disk;
    this.pattern = pattern;
    this.warnings = warnings;
    this.starter = starter;
    this.failures = new FailureStreak(warnings);
  }

  /** Hands over a link that this run made before its policy moved the file. */
  void add(KeptLink kept, Path active) {
    add(new Job(kept, active, false, false));
  }

  /** Hands over a link that an earlier run left; {@code mayExpire} if its archive exists. */
  void addLeft(KeptLink kept, Path active, boolean mayExpire) {
    add(new Job(kept, active, true, mayExpire));
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
    warnings.accept("Archives may stay unchecked until the next start: " + cause);
  }

  /** Returns when each link that was handed over was looked at once, or nobody looks any more. */
  synchronized void awaitLooks() {
    while (thread != null && !fresh.isEmpty()) {
      try {
        wait(LOOK_MS);
      } catch (InterruptedException e) { // only wakes a thread of ours
      }
    }
  }

  /** Waits for compressors and looks, for a bounded time; the next start does the rest. */
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

  /** Looks at all links once; returns how many are new or done. */
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
    KeptLink kept = job.kept();
    try {
      boolean isDone = look(job);
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

  private synchronized boolean isNew(Job job) {
    return fresh.contains(job);
  }

  /**
   * False while a compressor has the file. One that a crash left with another name was not
   * completely compressed, and Logback never resumes that. If the other name is Logback's temporary
   * one, we complete the archive; if it is the name of a log or an uncompressed archive, the file
   * keeps it.
   */
  private boolean look(Job job) throws IOException {
    KeptLink kept = job.kept();
    FileInfo info = disk.stat(kept.path());
    if (info == null || !kept.is(info, disk)) {
      return true;
    }
    if (info.links() > 1 && !job.isLeft()) {
      return false;
    }
    disk.delete(kept.output());
    Path other =
        info.links() == 1
            ? null
            : new ArchiveSearch(disk).other(info.key(), kept.path(), job.active(), pattern);
    if (other == null || other.toString().endsWith(".tmp")) {
      complete(job, other);
    } else {
      if (contentOf(kept.archive(), kept) != ArchiveContent.OTHER) {
        disk.delete(kept.archive());
      }
      disk.delete(kept.path());
    }
    return true;
  }

  /** Makes the archive durable, after packing it if needed, and removes the link and its twin. */
  private void complete(Job job, @Nullable Path twin) throws IOException {
    KeptLink kept = job.kept();
    if (job.mayExpire() && isNew(job) && disk.stat(kept.archive()) == null) {
      deleteBoth(twin, kept);
      warnings.accept(
          "The archive %s was deleted before it was completed; its lines are not packed again"
              .formatted(kept.archive()));
      return;
    }
    ArchiveContent content = contentOf(kept.archive(), kept);
    boolean taken = content == ArchiveContent.OTHER;
    Path archive = taken ? kept.spare() : kept.archive();
    switch (taken ? contentOf(archive, kept) : content) {
      case WHOLE -> force(archive);
      case PART -> pack(kept, archive);
      case OTHER -> throw new IOException("its name and " + archive + " are both taken");
    }
    disk.forceDirectory(archive.resolveSibling(""));
    deleteBoth(twin, kept);
    if (taken) {
      warnings.accept(
          "%s is not the archive of this log, which was packed as %s; no policy will remove the latter"
              .formatted(kept.archive(), archive));
    } else if (content == ArchiveContent.PART) {
      warnings.accept("The archive %s was incomplete and was written again".formatted(archive));
    }
  }

  private void deleteBoth(@Nullable Path twin, KeptLink kept) throws IOException {
    if (twin != null) {
      disk.delete(twin); // first: without the link no start would find it
    }
    disk.delete(kept.path());
  }

  /** Opens only files of ours: opening a pipe would wait for its other end. */
  private ArchiveContent contentOf(Path archive, KeptLink kept) throws IOException {
    FileInfo info = disk.stat(archive);
    if (info == null) {
      return ArchiveContent.PART;
    }
    return KeptLink.isOurs(info, disk)
        ? ArchiveContent.of(archive, () -> open(kept.path()))
        : ArchiveContent.OTHER;
  }

  private void pack(KeptLink kept, Path archive) throws IOException {
    Path output = kept.output();
    boolean isPacked = false;
    try (InputStream original = open(kept.path())) {
      ArchiveContent.pack(original, output, kept.stem());
      force(output);
      isPacked = true;
    } finally {
      if (!isPacked) {
        disk.delete(output); // the disk may be full
      }
    }
    disk.delete(archive); // an incomplete one
    disk.link(archive, output); // unlike a move it never replaces a file that has just appeared
    disk.delete(output);
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
