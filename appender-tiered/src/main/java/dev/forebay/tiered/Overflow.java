package dev.forebay.tiered;

import dev.forebay.agent.AdaptivePark;
import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.overflow.MovableSpool;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Moves spools that wait for the log to another disk, oldest first, while they take more than half
 * of their cap. So that there are some, the flusher leaves each spool for another when a quarter of
 * the cap is in it. The only thread that waits for that disk, except that the shipper reads there
 * what was moved.
 *
 * <p>For the mover's thread unless a comment says otherwise.
 */
final class Overflow implements Agent {

  static final long RETRY_NS = 10_000_000_000L;
  private static final long RETRY_SOON_NS = 1_000_000_000;

  /** Each has a file open. */
  private static final int MOST_SPOOLS = 1000;

  private static final int LEAVE_AT_PART = 4;
  private static final int MOVE_ABOVE_PART = 2;
  private static final long LOOK_EVERY_NS = 50_000_000;
  private static final long LOOK_AROUND_NS = 60_000_000_000L;
  private static final long STOP_NS = 100_000_000;

  private final TieredStart start;
  private final OverflowSettings settings;
  private final SpoolQueue queue;
  private final AgentThread thread;

  /** From the flusher. */
  private final Queue<MovableSpool> retired = new ConcurrentLinkedQueue<>();

  private final Set<String> told = new HashSet<>();
  private boolean isLooked;

  /** Null until it is used, and after a failure. */
  private @Nullable SpoolDirectory directory;

  private boolean isShared;
  private boolean isFailing;
  private boolean isFull;
  private long nextTryNs;
  private long nextLookNs;
  private long measuredNs;

  /** Read by JMX. */
  private volatile long bytes;

  /** Set once by the stopping thread. */
  private volatile boolean stopping;

  Overflow(TieredStart start, OverflowSettings settings, SpoolQueue queue) {
    this.start = start;
    this.settings = settings;
    this.queue = queue;
    this.thread =
        new AgentThread(
            this,
            new AdaptivePark(1, LOOK_EVERY_NS, LOOK_EVERY_NS),
            start.ring.threadName("overflow"),
            start.clock,
            t -> start.voice.warn("Moving spools to <overflowDirectory> failed", t),
            start.ledger);
    this.nextTryNs = start.clock.nanoTime();
    this.nextLookNs = nextTryNs;
  }

  /** For the thread that starts the appender. */
  void begin() {
    thread.start();
  }

  /** The log is located. Any thread. */
  void wake() {
    thread.wake();
  }

  /** Ends the thread soon, unless its disk stalls. For the thread that stops the appender. */
  void stop() {
    stopping = true;
    thread.requestStop();
    boolean unused = thread.join(STOP_NS);
  }

  /** Bytes of the segments there. Any thread. */
  long bytes() {
    return bytes;
  }

  /** A new spool as the shipper is to know it. Flusher's thread, as the next ones. */
  OwnSpool movable(Spool spool) {
    return spool.isInHeap() ? spool : new MovableSpool(spool);
  }

  /** Whether a spool holds so much that the next records should go to another. */
  boolean isDue(Spool used) {
    return !used.isInHeap()
        && used.sealedBytes() >= Math.max(used.segmentBytes(), used.limitBytes() / LEAVE_AT_PART)
        && used.writer().isSettled();
  }

  /** Nothing more is added to what {@link #movable} returned. */
  void add(@Nullable OwnSpool spool) {
    if (spool instanceof MovableSpool movable) {
      retired.removeIf(MovableSpool::isOver); // the disk may stall for long
      retired.add(movable);
      thread.wakeIfAsleep();
    }
  }

  @Override
  public int doWork() {
    LogIdentity log = start.locator.known();
    if (log == null || start.clock.nanoTime() - nextTryNs < 0) {
      return 0;
    }
    try {
      if (!isLooked) {
        isLooked = true;
        check(log);
      }
      lookAround(log);
      measure(log);
      return move(log);
    } catch (NoSuchFileException e) { // others have removed the directory, which is made again
      directory = null;
      nextTryNs = start.clock.nanoTime() + RETRY_SOON_NS;
      return 0;
    } catch (IOException e) {
      failed(e);
      return 0;
    }
  }

  private int move(LogIdentity log) throws IOException {
    MovableSpool next = retired.peek();
    if (next == null) {
      return 0;
    }
    if (next.isOver() || !next.isOf(log)) {
      retired.remove(next);
      return 1;
    }
    boolean isWanted =
        next.isMoving()
            || (next.usedBytes() > next.limitBytes() / MOVE_ABOVE_PART
                && hasRoom(open(log), SpoolBudgets.bytes(start.disk, next.path())));
    if (!isWanted) {
      return 0;
    }
    SpoolDirectory to = open(log);
    if (next.moveTo(to, () -> !stopping && !queue.isClosed())) {
      retired.remove(next);
      bytes = measure(to.spools());
      worked(to);
    }
    tell(to);
    return 1;
  }

  /** What is found again with each opening is told once. */
  private void tell(SpoolDirectory of) {
    for (String warning : of.takeWarnings()) {
      if (told.add(warning)) {
        start.voice.accept(warning);
      }
    }
  }

  private SpoolDirectory open(LogIdentity log) throws IOException {
    SpoolDirectory known = directory;
    if (known == null) {
      known = SpoolDirectory.open(start.disk, settings.directory(), log);
      start.requireElsewhere(known);
      MovableSpool.cleanUp(known);
      tell(known);
      directory = known;
    }
    return known;
  }

  /**
   * Has the shipper look there for spools of dead processes, once there is anything, and for strays
   * while another log has anything there: so it waits for this disk, and a lock there, only then.
   */
  private void lookAround(LogIdentity log) throws IOException {
    boolean isDue = start.clock.nanoTime() - nextLookNs >= 0;
    if (!isDue && (isShared || directory != null)) {
      return;
    }
    nextLookNs = start.clock.nanoTime() + LOOK_AROUND_NS;
    if (!isShared && !open(log).isEmpty()) {
      isShared = true;
      queue.addOverflow(open(log));
    }
    Path found = null;
    for (SpoolDirectory other :
        SpoolDirectory.all(start.disk, settings.directory(), path -> path.endsWith(log.key()))) {
      found = other.isEmpty() ? found : settings.directory();
    }
    start.noteOthersBeyond(found);
  }

  private boolean hasRoom(SpoolDirectory there, long more) throws IOException {
    List<Path> spools = there.spools();
    bytes = measure(spools);
    boolean hasRoom = bytes + more <= settings.bytes() && spools.size() < MOST_SPOOLS;
    if (!hasRoom && !isFull) {
      start.voice.accept(
          "<overflowDirectory> %s is full: %d spools with %d bytes, <overflowSize> is %d bytes; a full spool drops events"
              .formatted(settings.directory(), spools.size(), bytes, settings.bytes()));
    }
    isFull = !hasRoom;
    nextTryNs = hasRoom ? nextTryNs : start.clock.nanoTime() + RETRY_SOON_NS;
    return hasRoom;
  }

  /** Follows what is shipped from there. */
  private void measure(LogIdentity log) throws IOException {
    if (bytes > 0 && start.clock.nanoTime() - measuredNs >= RETRY_SOON_NS) {
      bytes = measure(open(log).spools());
    }
  }

  private long measure(List<Path> spools) {
    measuredNs = start.clock.nanoTime();
    return spools.stream().mapToLong(spool -> SpoolBudgets.bytes(start.disk, spool)).sum();
  }

  private void failed(IOException cause) {
    directory = null;
    MovableSpool next = retired.peek();
    boolean isAwaited = next != null && next.isMoving(); // by the shipper
    nextTryNs = start.clock.nanoTime() + (isAwaited ? RETRY_SOON_NS : RETRY_NS);
    if (!isFailing) {
      start.voice.warn(
          "<overflowDirectory> %s cannot be used: %s; a full spool drops events; retrying every %d s"
              .formatted(settings.directory(), cause, RETRY_NS / 1_000_000_000),
          cause);
    }
    isFailing = true;
  }

  private void worked(SpoolDirectory to) {
    if (isFailing) {
      start.voice.info("moving spools to %s again".formatted(to.path()));
    }
    isFailing = false;
  }

  /** Warns of a place that is of little use. */
  private void check(LogIdentity log) throws IOException {
    Path there = settings.directory();
    Path ofLog = log.path().getParent();
    if (start.disk.stat(there) == null || ofLog == null) {
      return;
    }
    if (start.disk.isInMemory(there)) {
      start.voice.accept(
          "<overflowDirectory> %s is on tmpfs and saves no memory; name a directory on a disk"
              .formatted(there));
    } else if (device(there).equals(device(ofLog))) {
      start.voice.accept(
          "<overflowDirectory> %s is on the disk of the log, which it fills and with which it stalls; name a directory on another disk"
              .formatted(there));
    }
  }

  /** The file system of a path; the path itself if that is not known. */
  private String device(Path path) throws IOException {
    FileInfo info = start.disk.stat(path);
    String device = info == null ? "" : info.device();
    return device.isEmpty() ? path.toString() : device;
  }

  @Override
  public long sleepNs(long nowNs) {
    boolean isIdle = retired.isEmpty() && bytes == 0 && (isLooked || start.locator.known() == null);
    long lookNs = start.locator.known() == null ? UNTIL_WOKEN : nextLookNs - nowNs;
    return isIdle ? Math.max(0, isFailing ? nextTryNs - nowNs : lookNs) : 0;
  }

  @Override
  public void onClose() {
    for (MovableSpool one = retired.poll(); one != null; one = retired.poll()) {
      one.abandonMove();
    }
    SpoolDirectory known = directory;
    if (known != null && !isShared) {
      try { // whoever uses it creates it again
        start.disk.delete(known.path());
        start.disk.delete(Objects.requireNonNull(known.path().getParent()));
      } catch (IOException e) {
        // It is used by others.
      }
    }
  }
}
