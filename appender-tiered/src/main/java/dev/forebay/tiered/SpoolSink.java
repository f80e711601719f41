package dev.forebay.tiered;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Patience;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import dev.forebay.pipeline.CallDurability;
import dev.forebay.pipeline.EventSink;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Encodes events and puts the bytes into the spool: the last stage that knows log events. While the
 * spool is full, the sink is not ready, events wait in the ring, and the ring sheds.
 *
 * <p>Fields belong to the flusher's thread, or to a log call in its turn, unless a comment says
 * otherwise.
 */
final class SpoolSink implements EventSink {

  /** After a pause this long without events, the next ones are shipped at once. */
  private static final long QUIET_NS = 100_000_000;

  private static final byte[] NOTHING = {};

  /** The least time the shipper gets to commit and close when the appender stops. */
  private static final long MIN_STOP_NS = 100_000_000;

  private final Encoder<ILoggingEvent> encoder;
  private final boolean callersEncode;
  private final @Nullable CallDurability durability;
  private final SpoolPlace place;
  private final Shipper shipper;
  private final AgentThread shipperThread;
  private final ShippingMetrics account;
  private final Ledger ledger;
  private final NanoClock clock;

  private @Nullable ILoggingEvent waiting;
  private byte[] waitingBytes = NOTHING;

  /** Whether a log call has the turn; it leaves the next segment to the flusher. */
  private boolean inTurnOfCall;

  /** Start of this turn, and of the last turn with events. */
  private long turnNs;

  private long lastBatchNs;
  private long taken;

  /** Encoded events taken so far, counted at the end of a batch; read by flush. */
  private volatile long passedOn;

  /** How many encoded events never got into the spool; read by flush. */
  private volatile long refused;

  /** Set at the end of stop(): nothing more is shipped; read by flush. */
  private volatile boolean ended;

  /** Set once, by the shutdown hook: the shipper follows each batch; read by flush too. */
  private volatile boolean ending;

  SpoolSink(
      StartContext start,
      Encoder<ILoggingEvent> encoder,
      boolean callersEncode,
      SpoolPlace place,
      Shipper shipper,
      AgentThread shipperThread,
      ShippingMetrics account) {
    this.encoder = encoder;
    this.callersEncode = callersEncode;
    this.durability = start.settings().durability();
    this.place = place;
    this.shipper = shipper;
    this.shipperThread = shipperThread;
    this.account = account;
    this.ledger = start.ledger();
    this.clock = start.clock();
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
    inTurnOfCall = false;
    turnNs = clock.nanoTime();
    place.look(turnNs, eventsWait);
  }

  @Override
  public boolean isReady() {
    SpoolWriter writer = place.writer();
    return writer != null && ((waiting == null && writer.isReady()) || makeRoom());
  }

  private boolean makeRoom() {
    boolean hasRoom = takes() || (place.leaveRefusing(clock.nanoTime()) && takes());
    if (!hasRoom) {
      // Only committed records free space, and the policy may not commit soon.
      shipper.requestCommit();
      shipperThread.wakeIfParked();
    }
    return hasRoom;
  }

  private boolean takes() {
    SpoolWriter writer = place.writer();
    return writer != null
        && (writer.isReady() || (place.flush() && writer.isReady()))
        && appendWaiting(writer);
  }

  @Override
  public @Nullable Encoder<ILoggingEvent> callerEncoder() {
    return callersEncode ? encoder : null;
  }

  @Override
  public @Nullable CallDurability durability() {
    return durability;
  }

  @Override
  public boolean isReadyForCall() {
    SpoolWriter writer = place.writerForCalls(durability != null);
    inTurnOfCall = waiting == null && writer != null && writer.hasRoomNow(0);
    return inTurnOfCall;
  }

  @Override
  public boolean writeForCall() {
    boolean isWritten = waiting == null && place.write();
    if (ending) { // else the flusher's next turn wakes it
      shipperThread.wake();
    }
    return isWritten;
  }

  @Override
  public boolean survivesKill() {
    return !place.isInHeap();
  }

  @Override
  public void accept(ILoggingEvent event) throws IOException {
    acceptEncoded(event, encoder.encode(event));
  }

  @Override
  public void acceptEncoded(ILoggingEvent event, byte @Nullable [] bytes) throws IOException {
    SpoolWriter writer = place.writer();
    if (writer == null) {
      throw new IOException("no spool");
    }
    if (bytes == null || bytes.length == 0) {
      ledger.deliver(1); // the encoder writes nothing for this event
      return;
    }
    // Counted only now: an event for which append throws is counted by the flusher.
    SpoolWriter.Outcome outcome =
        inTurnOfCall && !writer.hasRoomNow(bytes.length)
            ? SpoolWriter.Outcome.FULL
            : append(writer, event, bytes);
    taken++;
    if (outcome == SpoolWriter.Outcome.FULL) {
      waiting = event;
      waitingBytes = bytes;
    } else if (outcome == SpoolWriter.Outcome.TOO_LARGE) {
      refuse(DropReason.TOO_LARGE, event);
    }
  }

  /** Moves the waiting encoded event, if any, to the spool; false while that is full. */
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
    place.flush(); // its batch has ended, and no other event may come
    return true;
  }

  private SpoolWriter.Outcome append(SpoolWriter writer, ILoggingEvent event, byte[] bytes) {
    SpoolWriter.Outcome outcome = writer.append(bytes, 0, bytes.length, Levels.indexOf(event));
    if (outcome == SpoolWriter.Outcome.TOO_LARGE) {
      int limit = writer.maxPayloadBytes();
      account.spoolFailed(
          new IOException(
              bytes.length > limit
                  ? "an event has %d bytes, limit %d: set a larger <segmentSize>"
                      .formatted(bytes.length, limit)
                  : "no memory for an event of %d bytes".formatted(bytes.length)));
    }
    return outcome;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void refuse(DropReason reason, ILoggingEvent event) {
    ledger.drop(reason, event);
    refused++;
  }

  @Override
  public boolean isSettled() {
    return waiting == null && place.isSettled();
  }

  @Override
  public void endOfBatch() {
    if (place.writer() == null) {
      passedOn = taken;
      return;
    }
    if (place.flush()) {
      account.spoolWorked();
    }
    passedOn = taken;
    boolean firstAfterPause = turnNs - lastBatchNs > QUIET_NS; // the shipper may park for long
    if (ending) {
      shipperThread.wake();
    } else if (firstAfterPause || place.isFilling()) {
      shipperThread.wakeIfParked();
    }
    lastBatchNs = turnNs;
  }

  @Override
  public void prepareForShutdown() {
    ending = true;
    shipper.requestCommit();
    shipperThread.wake();
  }

  /** A log that fails is not waited for while the JVM is ending, if a later start can ship. */
  private boolean isHopeless() {
    return ending && account.logHealth().isFailing() && survivesKill();
  }

  @Override
  public boolean flush(long timeoutNs) {
    long target = passedOn;
    Patience.await(
        () -> {
          boolean isOver = handled() >= target || ended || isHopeless();
          if (!isOver) {
            shipper.requestCommit();
            shipperThread.wake();
          }
          return isOver;
        },
        timeoutNs,
        clock);
    return handled() >= target;
  }

  private long handled() {
    return account.handled() + refused + place.refused();
  }

  @Override
  public void close() {
    place.rescue();
    ILoggingEvent left = waiting;
    if (left != null && !takes()) {
      waiting = null;
      refuse(DropReason.ABANDONED, left);
    }
    place.leave();
  }

  @Override
  public void stop(long timeoutNs) {
    shipperThread.requestStop();
    if (!shipperThread.join(Math.max(MIN_STOP_NS, timeoutNs))) {
      shipper.timeOut();
      shipperThread.wake();
      shipperThread.join(MIN_STOP_NS);
    }
    ended = true;
  }

  @Override
  public String degraded() {
    return place.degraded();
  }

  @Override
  public long heldInHeap() {
    long shipped = handled();
    return place.isInHeap() ? Math.max(0, passedOn - shipped) : 0;
  }
}
