package dev.forebay.tiered.file;

import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Once;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.agent.Voice;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Packs {@linkplain KeptFile kept files} and has archives removed, on a thread of its own: neither
 * gigabytes nor a slow directory must keep the shipper from its log. For one run of the log.
 */
final class Archivist implements Agent, ParkPolicy {
  private static final long MIN_PARK_NS = 10_000_000;
  private static final long MAX_PARK_NS = 60_000_000_000L;

  private static final long STOP_NS = 1_000_000_000;

  /** Larger than any archive of an empty file. */
  private static final int MOST_OF_NOTHING = 1024;

  /**
   * A file to be packed. If an earlier run left it, a policy or a user deleted a missing archive.
   */
  private record Job(KeptFile kept, boolean isLeft, long sinceNs) {}

  private final Disk disk;
  private final NanoClock clock;
  private final Voice voice;
  private final Once once;
  private final AgentThread thread;

  /** The shipper adds; the thread that handles a job removes it, with this queue locked. */
  private final Queue<Job> jobs = new ConcurrentLinkedQueue<>();

  /** Whether a look has met a file whose archive is awaited. Guarded by the queue. */
  private boolean isWaiting;

  /** The last clean-up. Guarded by the queue. */
  private @Nullable Future<?> removal;

  /** What begins the next clean-up, as the shipper wanted it last. */
  private final AtomicReference<@Nullable Supplier<Future<?>>> cleanUp = new AtomicReference<>();

  /** When the end began, by the clock; the archivist's thread only. */
  private @Nullable Long endingSinceNs;

  /** The shipper's thread only. */
  private boolean hasThread;

  /** Set by the shipper, once: what is being read or written is left for the next start. */
  private volatile boolean cancelled;

  /** The pause after nothing was done. Doubled by the archivist's thread, ended by the shipper. */
  private volatile long parkNs = MIN_PARK_NS;

  /** Without a thread until {@link #start}. */
  Archivist(Disk disk, NanoClock clock, Voice voice) {
    this.disk = disk;
    this.clock = clock;
    this.voice = voice;
    this.once = new Once(voice);
    this.thread = new AgentThread(this, this, "forebay-archivist", clock, this::died, null);
  }

  /** Starts the thread unless it runs. */
  void start() {
    if (hasThread) {
      return;
    }
    try {
      thread.start();
      hasThread = true;
    } catch (OutOfMemoryError e) { // no thread is left; the next file tries again
      died(e);
    }
  }

  /** Hands over a file; {@code isLeft} if an earlier run kept it, whose archive is there. */
  void add(KeptFile kept, boolean isLeft) {
    jobs.add(new Job(kept, isLeft, clock.nanoTime()));
    wake();
  }

  /** Schedules a clean-up for when no archive is awaited. The latest replaces an earlier one. */
  void clean(Supplier<Future<?>> next) {
    cleanUp.set(next);
    wake();
  }

  private void wake() {
    parkNs = MIN_PARK_NS;
    thread.wake();
  }

  private void died(Throwable cause) {
    voice.warn("Archives may stay unpacked until the next start: " + cause);
  }

  /** Packs what is left, for a bounded time; the next start does the rest. */
  void stop() {
    thread.requestStop();
    if (!thread.join(2 * STOP_NS)) {
      cancelled = true;
      boolean unused = thread.join(STOP_NS);
    }
  }

  @Override
  public int doWork() {
    return look(false);
  }

  /**
   * Logback's stop waits for the last of its compressions only, and an earlier one that finds its
   * name taken is an ERROR. So a missing archive is awaited for a second here, too, while the stop
   * waits.
   */
  @Override
  public boolean finish() {
    long nowNs = clock.nanoTime();
    if (endingSinceNs == null) {
      endingSinceNs = nowNs;
    }
    look(nowNs - endingSinceNs >= STOP_NS);
    return cancelled || jobs.isEmpty();
  }

  @Override
  public long parkNs(int workDone, long nowNs) {
    parkNs = workDone > 0 ? MIN_PARK_NS : Math.min(2 * parkNs, MAX_PARK_NS);
    return parkNs;
  }

  @Override
  public boolean maySleep(long nowNs) {
    return true;
  }

  @Override
  public long sleepNs(long nowNs) {
    return jobs.isEmpty() ? UNTIL_WOKEN : 0;
  }

  /**
   * Looks at all files once, on whatever thread, perhaps for the last time: then no policy's
   * archive is awaited. Returns 0 if none is done.
   */
  int look(boolean isLast) {
    synchronized (jobs) {
      isWaiting = false;
      boolean worked = jobs.removeIf(job -> isDone(job, isLast));
      boolean mustWait = (isWaiting && !isLast) || (removal != null && !removal.isDone());
      Supplier<Future<?>> next = mustWait ? null : cleanUp.getAndSet(null);
      if (next != null) {
        remove(next);
      }
      return worked || next != null ? 1 : 0;
    }
  }

  /** Removes archives, and with an archive its kept file that could not be packed yet. */
  private void remove(Supplier<Future<?>> next) {
    try {
      List<Job> before = new ArrayList<>();
      for (Job job : jobs) {
        if (disk.stat(job.kept().archive()) != null) {
          before.add(job);
        }
      }
      Future<?> running = next.get();
      removal = running;
      // If a directory hangs for longer, packing goes on: what it removes meanwhile may come back.
      clock.await(() -> running.isDone() || cancelled, MAX_PARK_NS);
      for (Job job : running.isDone() && running.get() == null ? before : List.<Job>of()) {
        if (disk.stat(job.kept().archive()) == null) {
          job.kept().delete(disk);
        }
      }
      once.over("removal");
    } catch (IOException | ExecutionException | InterruptedException | RuntimeException e) {
      once.warn("removal", "Archives that are due to be removed may stay: " + e);
    }
  }

  /**
   * Awaits a missing archive, with which a policy replaces the empty file it got instead of this
   * one; not longer than a minute, since the policy may have failed.
   */
  private boolean isDone(Job job, boolean isLast) {
    KeptFile kept = job.kept();
    try {
      boolean isThere = kept.is(disk.stat(kept.path()), disk);
      boolean isMissing = isThere && disk.stat(kept.archive()) == null;
      if (isMissing && job.isLeft()) {
        kept.delete(disk);
        voice.warn(
            "The archive %s was deleted before it was packed, and so are its lines"
                .formatted(kept.archive()));
      } else if (isMissing && !isLast && clock.nanoTime() - job.sinceNs() < MAX_PARK_NS) {
        isWaiting = true;
        return false;
      } else if (isThere) {
        kept.reserve(disk);
        complete(kept);
      }
      once.over("packing");
      return true;
    } catch (IOException | RuntimeException | LinkageError e) {
      if (!cancelled) {
        once.warn(
            "packing",
            "%s keeps the lines of the archive %s, which cannot be created; retrying each minute and at each start: %s"
                .formatted(kept.path(), kept.archive(), e));
      }
      return false;
    }
  }

  private void complete(KeptFile kept) throws IOException {
    Path archive = kept.archive();
    if (!isFree(archive) && !isPacked(kept, archive)) {
      archive = kept.spare();
      voice.warn(
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
            && Packing.isOfNothing(disk, archive));
  }

  /** Whether an earlier run had packed it. Opens only files of ours: a pipe would block. */
  private boolean isPacked(KeptFile kept, Path archive) throws IOException {
    FileInfo info = disk.stat(archive);
    try (InputStream original = open(kept.path())) {
      return info != null && KeptFile.isOurs(info, disk) && Packing.isOf(disk, archive, original);
    }
  }

  private void pack(KeptFile kept, Path archive) throws IOException {
    Path output = kept.output();
    disk.delete(output); // a crash may have left it
    boolean isPacked = false;
    try {
      try (InputStream original = open(kept.path());
          DiskFile packed = disk.open(output, Disk.Mode.CREATE_PRIVATE)) {
        try (OutputStream out = Packing.packed(disk, packed.output(), archive, kept.stem())) {
          original.transferTo(out);
        }
        permit(output, disk.stat(kept.path()));
        packed.force();
      }
      disk.move(output, archive);
      isPacked = true;
    } finally {
      if (!isPacked) {
        disk.delete(output); // the disk may be full
      }
    }
  }

  /** Users who may read the log may read its archives, even if the umask is stricter. */
  private void permit(Path packed, @Nullable FileInfo original) throws IOException {
    if (original != null && original.mode() >= 0) {
      try {
        boolean unused = disk.setPermissions(packed, original.permissions());
      } catch (FileSystemException e) {
        // The log itself could not get them, with a WARN.
      }
    }
  }

  /** The original: whatever takes long reads it, and so ends soon after a stop. */
  private InputStream open(Path original) throws IOException {
    return new FilterInputStream(
        new BufferedInputStream(disk.open(original, Disk.Mode.READ).input())) {
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
