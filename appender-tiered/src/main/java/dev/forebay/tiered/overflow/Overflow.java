package dev.forebay.tiered.overflow;

import dev.forebay.agent.AdaptivePark;
import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Once;
import dev.forebay.agent.Voice;
import dev.forebay.observe.Ledger;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.ship.LogLocator;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.ship.StrayShipper;
import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
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
public final class Overflow implements Agent {

  private static final long RETRY_NS = 10_000_000_000L;
  private static final long RETRY_SOON_NS = 1_000_000_000;

  /** The most spools to be moved: each has a file open. */
  private static final int MOST_SPOOLS = 1000;

  private static final int LEAVE_AT_PART = 4;
  private static final int MOVE_ABOVE_PART = 2;
  private static final long LOOK_EVERY_NS = 50_000_000;
  private static final long LOOK_AROUND_NS = 60_000_000_000L;
  private static final long STOP_NS = 100_000_000;

  private final Disk disk;
  private final NanoClock clock;
  private final Voice voice;
  private final Once once;
  private final OverflowSettings settings;
  private final List<Path> places;
  private final LogLocator locator;
  private final StrayShipper strays;
  private final SpoolQueue queue;
  private final AgentThread thread;

  /** Spools handed over by the flusher's thread. */
  private final Queue<MovableSpool> retired = new ConcurrentLinkedQueue<>();

  private boolean isLooked;

  /** The directory on the other disk; null until it is used, and after a failure. */
  private @Nullable SpoolDirectory directory;

  private boolean isShared;
  private boolean isFailing;
  private long nextTryNs;
  private long nextLookNs;
  private long measuredNs;

  /** Bytes of the segments on the other disk. Read by JMX. */
  private volatile long bytes;

  /** Set once by the stopping thread. */
  private volatile boolean stopping;

  /**
   * For the thread that starts the appender.
   *
   * @param places where spools are before they come here
   */
  public Overflow(
      Disk disk,
      NanoClock clock,
      Voice voice,
      Ledger ledger,
      String threadName,
      OverflowSettings settings,
      List<Path> places,
      LogLocator locator,
      SpoolQueue queue,
      StrayShipper strays) {
    this.disk = disk;
    this.clock = clock;
    this.voice = voice;
    this.once = new Once(voice);
    this.settings = settings;
    this.places = places;
    this.locator = locator;
    this.queue = queue;
    this.strays = strays;
    this.thread =
        new AgentThread(
            this,
            new AdaptivePark(1, LOOK_EVERY_NS, LOOK_EVERY_NS),
            threadName,
            clock,
            t -> voice.warn("Moving spools to <overflowDirectory> failed", t),
            ledger);
    this.nextTryNs = clock.nanoTime();
    this.nextLookNs = nextTryNs;
  }

  /** For the thread that starts the appender. */
  public void begin() {
    thread.start();
  }

  /** The log is located. Any thread. */
  public void wake() {
    thread.wake();
  }

  /** Ends the thread soon, unless its disk stalls. For the thread that stops the appender. */
  public void stop() {
    stopping = true;
    thread.requestStop();
    boolean unused = thread.join(STOP_NS);
  }

  /** Bytes of the segments there. Any thread. */
  public long bytes() {
    return bytes;
  }

  /** A new spool as the shipper is to know it. Flusher's thread, as the next ones. */
  public OwnSpool movable(Spool spool) {
    return spool.isInHeap() ? spool : new MovableSpool(spool);
  }

  /** Whether a spool holds so much that the next records should go to another. */
  public boolean isDue(Spool used) {
    return !used.isInHeap()
        && used.sealedBytes() >= Math.max(used.segmentBytes(), used.limitBytes() / LEAVE_AT_PART)
        && used.writer().isSettled();
  }

  /** Nothing more is added to what {@link #movable} returned. */
  public void add(@Nullable OwnSpool spool) {
    if (spool instanceof MovableSpool movable) {
      retired.removeIf(MovableSpool::isOver); // the disk may stall for long
      retired.add(movable);
      thread.wakeIfAsleep();
    }
  }

  @Override
  public int doWork() {
    LogIdentity log = locator.known();
    if (log == null || clock.nanoTime() - nextTryNs < 0) {
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
    } catch (NoSuchFileException e) { // another process removed the directory; it is made again
      directory = null;
      nextTryNs = clock.nanoTime() + RETRY_SOON_NS;
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
                && hasRoom(open(log), SpoolBudgets.bytes(disk, next.path())));
    if (!isWanted) {
      return 0;
    }
    SpoolDirectory to = open(log);
    if (next.moveTo(to, () -> !stopping && !queue.isClosed())) {
      retired.remove(next);
      bytes = measure(to.list(SpoolNames.SPOOL));
      worked(to);
    }
    tell(to);
    return 1;
  }

  /** Reports each warning once, although each opening finds it again. */
  private void tell(SpoolDirectory of) {
    for (String warning : of.takeWarnings()) {
      once.warn(warning, warning);
    }
  }

  private SpoolDirectory open(LogIdentity log) throws IOException {
    SpoolDirectory known = directory;
    if (known == null) {
      known = SpoolDirectory.open(disk, settings.directory(), log);
      requireElsewhere(known);
      MovableSpool.cleanUp(known);
      tell(known);
      directory = known;
    }
    return known;
  }

  /**
   * Makes the shipper look there for spools of dead processes, once there are any files, and for
   * strays while another log has files there: only then does it wait for this disk, and a lock
   * there.
   */
  private void lookAround(LogIdentity log) throws IOException {
    boolean isDue = clock.nanoTime() - nextLookNs >= 0;
    if (!isDue && (isShared || directory != null)) {
      return;
    }
    nextLookNs = clock.nanoTime() + LOOK_AROUND_NS;
    if (!isShared && !open(log).isEmpty()) {
      isShared = true;
      queue.addOverflow(open(log));
    }
    Path found = null;
    for (SpoolDirectory other :
        SpoolDirectory.all(disk, settings.directory(), path -> path.endsWith(log.key()))) {
      found = other.isEmpty() ? found : settings.directory();
    }
    strays.lookInto(found);
  }

  /** Throws if it is a place of spools by another name, which cannot be locked twice. */
  public void requireElsewhere(SpoolDirectory overflow) throws IOException {
    FileInfo beyond = disk.stat(overflow.path());
    for (Path place : places) {
      SpoolDirectory there = SpoolDirectory.openExisting(disk, place, locator.get());
      FileInfo info = there == null ? null : disk.stat(there.path());
      if (info != null
          && beyond != null
          && !info.key().isEmpty()
          && info.key().equals(beyond.key())) {
        throw new IOException(
            "it is the place of the spools, %s, by another name".formatted(place));
      }
    }
  }

  private boolean hasRoom(SpoolDirectory there, long more) throws IOException {
    List<Path> spools = there.list(SpoolNames.SPOOL);
    bytes = measure(spools);
    boolean hasRoom = bytes + more <= settings.bytes() && spools.size() < MOST_SPOOLS;
    if (hasRoom) {
      once.over("room");
    } else {
      nextTryNs = clock.nanoTime() + RETRY_SOON_NS;
      once.warn(
          "room",
          "<overflowDirectory> %s is full: %d spools with %d bytes, <overflowSize> is %d bytes; a full spool drops events"
              .formatted(settings.directory(), spools.size(), bytes, settings.bytes()));
    }
    return hasRoom;
  }

  /** Measures the directory again, to follow what is shipped from there. */
  private void measure(LogIdentity log) throws IOException {
    if (bytes > 0 && clock.nanoTime() - measuredNs >= RETRY_SOON_NS) {
      bytes = measure(open(log).list(SpoolNames.SPOOL));
    }
  }

  private long measure(List<Path> spools) {
    measuredNs = clock.nanoTime();
    return spools.stream().mapToLong(spool -> SpoolBudgets.bytes(disk, spool)).sum();
  }

  private void failed(IOException cause) {
    directory = null;
    MovableSpool next = retired.peek();
    boolean isAwaited = next != null && next.isMoving(); // by the shipper
    nextTryNs = clock.nanoTime() + (isAwaited ? RETRY_SOON_NS : RETRY_NS);
    if (!isFailing) {
      voice.warn(
          "<overflowDirectory> %s cannot be used: %s; a full spool drops events; retrying every %d s"
              .formatted(settings.directory(), cause, RETRY_NS / 1_000_000_000),
          cause);
    }
    isFailing = true;
  }

  private void worked(SpoolDirectory to) {
    if (isFailing) {
      voice.info("moving spools to %s again".formatted(to.path()));
    }
    isFailing = false;
  }

  /** Warns of a place that is of little use. */
  private void check(LogIdentity log) throws IOException {
    Path there = settings.directory();
    Path ofLog = log.path().getParent();
    if (disk.stat(there) == null || ofLog == null) {
      return;
    }
    if (disk.isInMemory(there)) {
      voice.warn(
          "<overflowDirectory> %s is on tmpfs and saves no memory; name a directory on a disk"
              .formatted(there));
    } else if (device(there).equals(device(ofLog))) {
      voice.warn(
          "<overflowDirectory> %s is on the disk of the log, which it fills and with which it stalls; name a directory on another disk"
              .formatted(there));
    }
  }

  /** The file system of a path; the path itself if that is not known. */
  private String device(Path path) throws IOException {
    FileInfo info = disk.stat(path);
    String device = info == null ? "" : info.device();
    return device.isEmpty() ? path.toString() : device;
  }

  @Override
  public long sleepNs(long nowNs) {
    boolean isIdle = retired.isEmpty() && bytes == 0 && (isLooked || locator.known() == null);
    long lookNs = locator.known() == null ? UNTIL_WOKEN : nextLookNs - nowNs;
    return isIdle ? Math.max(0, isFailing ? nextTryNs - nowNs : lookNs) : 0;
  }

  @Override
  public void onClose() {
    for (MovableSpool one = retired.poll(); one != null; one = retired.poll()) {
      one.leaveMove();
    }
    SpoolDirectory known = directory;
    if (known != null && !isShared) {
      try { // the next user creates it again
        disk.delete(known.path());
        disk.delete(Objects.requireNonNull(known.path().getParent()));
      } catch (IOException e) {
        // It is in use.
      }
    }
  }
}
