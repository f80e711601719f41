package dev.forebay.tiered;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import dev.forebay.pipeline.EventSink;
import dev.forebay.tiered.SpoolSites.Berth;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Encodes events and puts the bytes into the spool: the last place that knows log events. With a
 * full spool it is not ready, the events wait in the ring, and the ring sheds. When the spool's
 * file system takes no more, a spool in the heap takes over, with the records that are not in
 * files.
 *
 * <p>Fields are the flusher's thread's unless a comment says otherwise.
 */
final class SpoolSink implements EventSink {

  private static final long PATH_CHECK_NS = 1_000_000_000;

  /** Without events for so long, the next ones are shipped at once. */
  private static final long QUIET_NS = 100_000_000;

  private static final long FLUSH_POLL_NS = 1_000_000;

  /** Part of a segment that is progress enough between two refusals of the file system. */
  private static final int PROGRESS_PART = 4;

  private static final byte[] NOTHING = {};

  /** What the shipper gets in any case to settle and close when the appender stops. */
  private static final long MIN_STOP_NS = 100_000_000;

  private final Encoder<ILoggingEvent> encoder;
  private final SpoolSites sites;
  private final SpoolQueue queue;
  private final Shipper shipper;
  private final AgentThread shipperThread;
  private final ShippingMetrics account;
  private final Ledger ledger;
  private final NanoClock clock;

  /** Read by JMX and by the thread that stops. */
  private volatile @Nullable Berth berth;

  /** Of the spool in use. */
  private RefusalStreak refusals = new RefusalStreak(0);

  private @Nullable ILoggingEvent waiting;
  private byte[] waitingBytes = NOTHING;
  private long nextPathCheckNs;

  /** Begin of this turn, and of the last one that passed something on. */
  private long turnNs;

  private long lastBatchNs;
  private long taken;

  /** Encoded events taken so far, counted at the end of a batch; read by flush. */
  private volatile long passedOn;

  /** Of the encoded events, those that the spool never got; read by flush. */
  private volatile long refused;

  /** Raised at the end of stop(): nothing more is shipped; read by flush. */
  private volatile boolean ended;

  SpoolSink(
      Encoder<ILoggingEvent> encoder,
      SpoolSites sites,
      SpoolQueue queue,
      Shipper shipper,
      AgentThread shipperThread,
      ShippingMetrics account,
      Ledger ledger,
      NanoClock clock) {
    this.encoder = encoder;
    this.sites = sites;
    this.queue = queue;
    this.shipper = shipper;
    this.shipperThread = shipperThread;
    this.account = account;
    this.ledger = ledger;
    this.clock = clock;
  }

  void startShipper() {
    shipperThread.start();
  }

  @Override
  public String name() {
    return "the encoder";
  }

  @Override
  public DropReason failureReason() {
    return DropReason.ENCODE_FAILED;
  }

  @Override
  public void beginTurn(boolean eventsWait) {
    Berth current = berth;
    turnNs = clock.nanoTime();
    if (current == null) {
      begin(sites.open());
      if (sites.hasTried()) {
        account.spoolTried(berth != null);
      }
      return;
    }
    // A broken path is harmless while there is nothing to write, and looking costs 1 ms.
    if (turnNs - nextPathCheckNs < 0 || (!current.inHeap() && !eventsWait)) {
      return;
    }
    nextPathCheckNs = turnNs + PATH_CHECK_NS;
    current.spool().refreshLimit();
    if (current.inHeap()) {
      Berth wanted = sites.openAgain(current);
      if (wanted != null) {
        moveOn(current, wanted);
      }
    } else if (!sites.isInPlace(current)) {
      moveOn(current, sites.open());
    }
  }

  private void begin(@Nullable Berth next) {
    berth = next;
    if (next != null) {
      refusals = new RefusalStreak(next.spool().segmentBytes() / PROGRESS_PART);
      sites.others(next).forEach(queue::addDirectory);
      queue.add(next.directory(), next.spool());
      shipperThread.wake();
    }
  }

  /** Leaves a spool for another, which gets the records that are not in files yet. */
  private void moveOn(Berth left, @Nullable Berth next) {
    flush(left);
    if (next == null) {
      queue.retire(left.directory(), left.spool());
      berth = null;
    } else {
      queue.retireToNext(left.directory(), left.spool());
      begin(next);
      SpoolWriter heir = next.spool().writer();
      left.spool().writer().handOver((payload, level) -> inherit(heir, payload, level));
      flush(next); // into a file, as what it was handed would be by now
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void inherit(SpoolWriter heir, byte[] payload, int level) {
    if (heir.append(payload, 0, payload.length, level) != SpoolWriter.Outcome.ADDED) {
      account.neverSpooled(level);
      refused++;
    }
  }

  private boolean flush(Berth used) {
    try {
      used.spool().writer().flush();
      return true;
    } catch (IOException e) {
      account.spoolFailed(e);
      return false;
    }
  }

  @Override
  public boolean isReady() {
    Berth current = berth;
    if (current == null) {
      return false;
    }
    boolean ready = takes(current) || replace(current, refusals);
    if (!ready) {
      // Only settled records make room, and it may be long until the policy settles.
      shipper.requestCommit();
      shipperThread.wakeIfParked();
    }
    return ready;
  }

  private boolean takes(Berth used) {
    SpoolWriter writer = used.spool().writer();
    boolean ready = writer.isReady() || (flush(used) && writer.isReady());
    return ready && appendWaiting(writer);
  }

  /**
   * Leaves a spool whose file system refuses what the cap allows: others may have filled it.
   *
   * @return whether there is another now, and it takes records
   */
  private boolean replace(Berth refusing, RefusalStreak streak) {
    SpoolWriter writer = refusing.spool().writer();
    IOException cause = writer.refusal();
    if (cause == null
        || refusing.inHeap()
        || !streak.isTooLong(clock.nanoTime(), writer.writtenBytes())) {
      return false;
    }
    boolean intact = refusing.spool().isPathIntact();
    Berth next = intact ? sites.openHeap(refusing.log(), "takes no more", cause) : sites.open();
    if (next == null) {
      return false;
    }
    moveOn(refusing, next);
    return takes(next);
  }

  @Override
  public void accept(ILoggingEvent event) throws IOException {
    Berth current = berth;
    if (current == null) {
      throw new IOException("no spool");
    }
    byte[] bytes = encoder.encode(event);
    if (bytes == null || bytes.length == 0) {
      ledger.deliver(1); // the encoder has nothing to say about it
      return;
    }
    // Only now: what throws here was not taken, and is counted by the flusher.
    SpoolWriter.Outcome outcome = append(current.spool().writer(), event, bytes);
    taken++;
    if (outcome == SpoolWriter.Outcome.FULL) {
      waiting = event;
      waitingBytes = bytes;
    } else if (outcome == SpoolWriter.Outcome.TOO_LARGE) {
      refuse(DropReason.TOO_LARGE, event);
    }
  }

  /** Moves the encoded event in hand, if there is one, to the spool; false while that is full. */
  private boolean appendWaiting(SpoolWriter writer) {
    ILoggingEvent event = waiting;
    if (event == null) {
      return true;
    }
    SpoolWriter.Outcome outcome = append(writer, event, waitingBytes);
    if (outcome == SpoolWriter.Outcome.FULL) {
      return false;
    }
    waiting = null;
    waitingBytes = NOTHING;
    if (outcome == SpoolWriter.Outcome.TOO_LARGE) {
      refuse(DropReason.TOO_LARGE, event);
    }
    return true;
  }

  private SpoolWriter.Outcome append(SpoolWriter writer, ILoggingEvent event, byte[] bytes) {
    SpoolWriter.Outcome outcome = writer.append(bytes, 0, bytes.length, Levels.indexOf(event));
    if (outcome == SpoolWriter.Outcome.TOO_LARGE) {
      account.spoolFailed(
          new IOException(
              "an event of %d bytes, limit %d: set a larger <segmentSize>"
                  .formatted(bytes.length, writer.maxPayloadBytes())));
    }
    return outcome;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void refuse(DropReason reason, ILoggingEvent event) {
    ledger.drop(reason, event);
    refused++;
  }

  @Override
  public void endOfBatch() {
    Berth current = berth;
    if (current == null) {
      passedOn = taken;
      return;
    }
    if (flush(current)) {
      account.spoolWorked();
    }
    passedOn = taken;
    Spool spool = current.spool();
    boolean firstAfterPause = turnNs - lastBatchNs > QUIET_NS; // the shipper may park for long
    if (firstAfterPause || spool.backlogBytes() > spool.limitBytes() / 4) {
      shipperThread.wakeIfParked();
    }
    lastBatchNs = turnNs;
  }

  @Override
  public boolean flush(long timeoutNs) {
    long deadlineNs = clock.nanoTime() + timeoutNs;
    long target = passedOn;
    boolean interrupted = false;
    while (handled() < target && !ended && clock.nanoTime() - deadlineNs < 0) {
      shipper.requestCommit();
      shipperThread.wake();
      LockSupport.parkNanos(this, FLUSH_POLL_NS);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return handled() >= target;
  }

  private long handled() {
    return account.handled() + refused;
  }

  @Override
  public void close() {
    Berth current = berth;
    boolean isLate = queue.isClosed(); // and nobody ships any more
    if (current != null && !current.inHeap() && !isLate && !flush(current)) {
      Berth heap = sites.openHeap(current.log(), "takes no more", lastRefusal(current));
      if (heap != null) { // there is no time to wait for room
        moveOn(current, heap);
        current = heap;
      }
    }
    ILoggingEvent left = waiting;
    if (left != null && (current == null || !takes(current))) {
      waiting = null;
      refuse(DropReason.ABANDONED, left);
    }
    if (current != null) {
      flush(current);
      queue.retire(current.directory(), current.spool());
    }
  }

  private static IOException lastRefusal(Berth refusing) {
    IOException cause = refusing.spool().writer().refusal();
    return cause == null ? new IOException("unknown") : cause;
  }

  @Override
  public void stop(long timeoutNs) {
    shipperThread.requestStop();
    if (!shipperThread.join(Math.max(MIN_STOP_NS, timeoutNs))) {
      shipper.giveUp();
      shipperThread.wake();
      shipperThread.join(MIN_STOP_NS);
    }
    ended = true;
  }

  @Override
  public String degraded() {
    Berth current = berth;
    if (current == null) {
      return "there is no spool: events wait in the ring";
    }
    return current.inHeap()
        ? "the spool is in the heap and not in <spoolDirectory>: lost if the process is killed"
        : "";
  }

  @Override
  public long heldInHeap() {
    Berth current = berth;
    long shipped = handled();
    return current != null && current.inHeap() ? Math.max(0, passedOn - shipped) : 0;
  }

  /** Where the spool in use is: its directory, "heap", or "" while there is none. Any thread. */
  String spoolPath() {
    Berth current = berth;
    if (current == null) {
      return "";
    }
    return current.inHeap() ? "heap" : current.spool().path().toString();
  }

  /** The spool in use; null while there is none. Any thread. */
  @Nullable Spool spool() {
    Berth current = berth;
    return current == null ? null : current.spool();
  }
}
