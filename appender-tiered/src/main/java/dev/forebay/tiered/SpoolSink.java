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
import dev.forebay.tiered.ship.Docket;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Encodes events and puts the bytes into the spool: the last place that knows log events. Without a
 * spool, or with a full one, it is not ready, the events wait in the ring, and the ring sheds.
 *
 * <p>Fields are the flusher's thread's unless a comment says otherwise.
 */
final class SpoolSink implements EventSink {

  private static final long PATH_CHECK_NS = 1_000_000_000;

  /** Without events for so long, the next ones are shipped at once. */
  private static final long QUIET_NS = 100_000_000;

  private static final long FLUSH_POLL_NS = 1_000_000;
  private static final byte[] NOTHING = {};

  /** What the shipper gets in any case to settle and close when the appender stops. */
  private static final long MIN_STOP_NS = 100_000_000;

  private final Encoder<ILoggingEvent> encoder;
  private final SpoolSites sites;
  private final Docket docket;
  private final Shipper shipper;
  private final AgentThread shipperThread;
  private final ShippingLedger account;
  private final Ledger ledger;
  private final NanoClock clock;

  /** Read by JMX and by the thread that stops. */
  private volatile @Nullable Berth berth;

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
      Docket docket,
      Shipper shipper,
      AgentThread shipperThread,
      ShippingLedger account,
      Ledger ledger,
      NanoClock clock) {
    this.encoder = encoder;
    this.sites = sites;
    this.docket = docket;
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
      moveTo(sites.open());
      if (sites.hasTried()) {
        account.spoolTried(berth != null);
      }
      return;
    }
    // Nobody minds a path that is broken while nothing is to be written, and looking costs 1 ms.
    if (turnNs - nextPathCheckNs < 0 || (current.wanted() && !eventsWait)) {
      return;
    }
    nextPathCheckNs = turnNs + PATH_CHECK_NS;
    if (!sites.isInPlace(current)) {
      leave(current);
      moveTo(sites.open());
    } else if (!current.wanted()) {
      Berth wanted = sites.openWanted(current);
      if (wanted != null) {
        leave(current);
        moveTo(wanted);
      }
    }
  }

  private void moveTo(@Nullable Berth next) {
    if (next != null) {
      sites.others(next).forEach(docket::addDirectory);
      docket.add(next.directory(), next.spool());
      berth = next;
      shipperThread.wake();
    }
  }

  private void leave(Berth left) {
    berth = null;
    flushAndRetire(left);
  }

  private void flushAndRetire(Berth left) {
    try {
      left.spool().writer().flush();
    } catch (IOException e) {
      account.spoolFailed(e);
    }
    docket.retire(left.directory(), left.spool());
  }

  @Override
  public boolean isReady() {
    Berth current = berth;
    if (current == null) {
      return false;
    }
    SpoolWriter writer = current.spool().writer();
    boolean ready = writer.isReady() || makeRoom(writer);
    ready = ready && (waiting == null || appendWaiting(writer));
    if (!ready) {
      // Only settled records make room, and it may be long until the policy settles.
      shipper.requestSettle();
      shipperThread.wakeIfParked();
    }
    return ready;
  }

  private boolean makeRoom(SpoolWriter writer) {
    try {
      writer.flush();
    } catch (IOException e) {
      account.spoolFailed(e);
      return false;
    }
    return writer.isReady();
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
    taken++;
    waiting = event;
    waitingBytes = bytes;
    appendWaiting(current.spool().writer());
  }

  /** Moves the encoded event in hand to the spool; false while that is full. */
  private boolean appendWaiting(SpoolWriter writer) {
    ILoggingEvent event = waiting;
    if (event == null) {
      return true;
    }
    byte[] bytes = waitingBytes;
    switch (writer.append(bytes, 0, bytes.length, Levels.indexOf(event))) {
      case ADDED -> {}
      case TOO_LARGE -> {
        refuse(DropReason.TOO_LARGE, event);
        account.spoolFailed(
            new IOException(
                "an event of %d bytes, limit %d: set a larger <segmentSize>"
                    .formatted(bytes.length, writer.maxPayloadBytes())));
      }
      case FULL -> {
        return false;
      }
    }
    waiting = null;
    waitingBytes = NOTHING;
    return true;
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
    try {
      current.spool().writer().flush();
      account.spoolWorked();
    } catch (IOException e) {
      account.spoolFailed(e);
    }
    passedOn = taken;
    Spool spool = current.spool();
    boolean firstAfterPause = turnNs - lastBatchNs > QUIET_NS; // the shipper may park for long
    if (firstAfterPause || spool.usedBytes() > spool.limitBytes() / 4) {
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
      shipper.requestSettle();
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
    ILoggingEvent left = waiting;
    if (left != null && !isReady()) {
      waiting = null;
      refuse(DropReason.ABANDONED, left);
    }
    Berth current = berth;
    if (current != null) {
      flushAndRetire(current);
    }
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
    return current.wanted()
        ? ""
        : "the spool is not in <spoolDirectory> but in " + current.directory().path();
  }

  /** The spool in use; null while there is none. Any thread. */
  @Nullable Spool spool() {
    Berth current = berth;
    return current == null ? null : current.spool();
  }
}
