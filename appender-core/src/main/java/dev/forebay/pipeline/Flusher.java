package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.AdaptivePark;
import dev.forebay.agent.Agent;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.OutputHealth;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The consumer of the ring: takes events out, passes them to the sink and ends the batch.
 *
 * <p>If the sink throws, only the event in hand is lost. Fields belong to the flusher's thread
 * unless a comment says otherwise; if log calls take turns too, to the holder of the lock in {@link
 * CallTurns}. They outlive it: after an Error the next thread continues after the event in hand.
 */
final class Flusher implements Agent, ParkPolicy, Predicate<ILoggingEvent> {

  private static final int EVENTS_PER_WAKE = 256;
  private static final long MAX_PARK_NS = 10_000_000;
  private static final long IDLE_PARK_NS = 50_000_000;
  private static final byte[] NOTHING = {};

  private static final int TAKES = 0;
  private static final int OPENS = 1;
  private static final int STALLS = 2;

  /** Logback's own is in a class whose start takes more stack than a log call may have left. */
  private static final StackTraceElement[] NO_CALLER = {};

  private final EventRing ring;
  private final HoleWatch holes;
  private final EventSink sink;
  private final Ledger ledger;
  private final DropReporter dropReporter;

  /** Whether the sink takes what it is given. */
  final OutputHealth health;

  /** What log calls may encode with; null: nothing. Used by any thread. */
  private final @Nullable Encoder<ILoggingEvent> callerEncoder;

  /** Whether that may ask an event for its caller. */
  private final boolean hidesCallers;

  /** The flusher's thread only. */
  private final AdaptivePark park = new AdaptivePark(EVENTS_PER_WAKE, MAX_PARK_NS, IDLE_PARK_NS);

  private @Nullable ILoggingEvent inHand;

  /** The next event, which a log call took out of the ring and could not encode. */
  private @Nullable ILoggingEvent handedBack;

  private boolean batchOpen;
  private long handled;

  /** Whether the last turn left nothing in the ring and the sink was ready. */
  private boolean emptied;

  /** Events whose batch has ended, since the start; read by flush(). */
  private volatile long flushed;

  /** Why the sink left events waiting in the last turn, or that it did not; read by callers. */
  private volatile int sinkState = TAKES;

  /** Set when stop() times out, and at the end: nobody takes events any more; read by callers. */
  private volatile boolean cancelled;

  Flusher(
      EventRing ring, HoleWatch holes, EventSink sink, Ledger ledger, DropReporter dropReporter) {
    this.ring = ring;
    this.holes = holes;
    this.sink = sink;
    this.ledger = ledger;
    this.health = new OutputHealth(sink.name());
    this.dropReporter = dropReporter;
    this.callerEncoder = sink.callerEncoder();
    this.hidesCallers = callerEncoder != null && CallerWords.mayBeAskedFor(callerEncoder);
  }

  @Override
  public int doWork() {
    emptied = false; // also if something throws
    countUnfinished();
    boolean eventsWait = ring.fill() > 0;
    sink.beginTurn(eventsWait || batchOpen);
    int taken = 0;
    while (taken < EventSink.MAX_TURN && !emptied && sink.makeReady()) {
      byte[] encoded = null;
      ILoggingEvent event = handedBack;
      if (event == null) {
        event = ring.poll();
        encoded = ring.encoded();
      }
      handedBack = null;
      emptied = event == null;
      if (event != null) {
        inHand = event;
        settleInHand(deliver(event, encoded));
        taken++;
      }
    }
    int state = TAKES;
    if (eventsWait && !emptied && taken < EventSink.MAX_TURN) {
      state = sink.isOpening() ? OPENS : STALLS;
    }
    if (sinkState != state) { // else its cache line stays valid for callers
      sinkState = state;
    }
    if (emptied) {
      handled += holes.look();
    }
    if (!cancelled && sink.makeReadyForReport()) {
      dropReporter.reportIfDue(emptied, taken > 0 || batchOpen, this);
    }
    endBatch();
    return taken;
  }

  /** No caller wakes a stalled flusher, so it must not park as long as an idle one. */
  @Override
  public long parkNs(int workDone, long nowNs) {
    long parkNs = park.parkNs(workDone, nowNs);
    return isStalled() ? Math.min(parkNs, MAX_PARK_NS) : parkNs;
  }

  @Override
  public boolean maySleep(long nowNs) {
    return park.maySleep(nowNs);
  }

  /** Sleeps until it is woken, unless something is left to do. */
  @Override
  public long sleepNs(long nowNs) {
    boolean isIdle =
        emptied
            && ring.fill() == 0
            && !batchOpen
            && handedBack == null
            && !dropReporter.isWaiting()
            && sink.isSettled();
    return isIdle ? UNTIL_WOKEN : 0;
  }

  /**
   * Takes one event as the turn of a log call. Reports nothing and opens no files. An event that
   * cannot be encoded here goes to the flusher's thread.
   *
   * @return whether it took one
   */
  boolean takeForCall() {
    countUnfinished();
    if (!isReadyForCall()) {
      return false;
    }
    ILoggingEvent event = ring.poll();
    if (event == null) {
      return false;
    }
    inHand = event;
    byte[] known = ring.encoded();
    byte[] bytes = known == null ? encodeForCall(event) : known;
    if (bytes == null) {
      inHand = null;
      handedBack = event;
      return false;
    }
    settleInHand(deliver(event, bytes));
    return true;
  }

  /**
   * The bytes of an event, of this thread or of any other; null if the encoder throws here, which
   * leaves the event to the flusher's thread. Any thread, while there is an encoder for calls.
   */
  byte @Nullable [] encodeForCall(ILoggingEvent event) {
    try {
      if (hidesCallers && event instanceof LoggingEvent plain && !plain.hasCallerData()) {
        // If asked here, it would find the log call on this thread's stack, perhaps another one.
        plain.setCallerData(NO_CALLER);
      }
      byte[] bytes = Objects.requireNonNull(callerEncoder).encode(event);
      return bytes == null ? NOTHING : bytes;
    } catch (Throwable t) { // foreign code, at the end of a stack that may be almost full
      return null;
    }
  }

  /** As {@link #encodeForCall}, for an event of this thread, which other appenders may see next. */
  byte @Nullable [] encodeOwnForCall(ILoggingEvent event) {
    boolean isHidden = hidesCallers && event instanceof LoggingEvent own && !own.hasCallerData();
    byte[] bytes = encodeForCall(event);
    if (isHidden) {
      ((LoggingEvent) event).setCallerData(null); // before the ring has it: they ask themselves
    }
    return bytes;
  }

  /** Whether the next event can be taken in the turn of a log call. */
  boolean isReadyForCall() {
    return handedBack == null && sink.isReadyForCall();
  }

  /** Events that left the ring since the start. Flusher only. */
  long handled() {
    return handled;
  }

  /** An event ends a streak of failures, a report does not: an encoder may fail for events only. */
  private void settleInHand(boolean taken) {
    inHand = null;
    ring.release();
    handled++;
    batchOpen = true;
    if (taken) {
      health.succeeded();
    }
  }

  /** Returns whether the sink took it. */
  private boolean deliver(ILoggingEvent event, byte @Nullable [] bytes) {
    try {
      return sink.accept(event, bytes);
    } catch (Throwable t) { // encoders and appenders are foreign code
      ledger.drop(sink.failureReason(), event);
      health.failed(t);
      return false;
    }
  }

  /** Delivers a report in a batch of its own. Returns whether the sink took it. */
  @Override
  public boolean test(ILoggingEvent report) {
    endBatch();
    ledger.addReport();
    batchOpen = true;
    boolean taken = deliver(report, null);
    endBatch();
    return taken;
  }

  /** Counts the event in hand if an Error struck before it was counted. */
  private void countUnfinished() {
    ILoggingEvent event = inHand;
    if (event != null) {
      settleInHand(false);
      ledger.drop(sink.failureReason(), event);
    }
  }

  private void endBatch() {
    if (batchOpen) {
      batchOpen = false;
      try {
        sink.endOfBatch();
      } catch (Throwable t) { // as in deliver
        health.failed(t);
      }
    }
    flushed = handled;
  }

  /** Drains the ring, then reports the drops that are still unreported. */
  @Override
  public boolean finish() {
    int taken = doWork();
    if (cancelled) {
      return true;
    }
    boolean empty =
        taken < EventSink.MAX_TURN && ring.fill() == 0 && handedBack == null && !sink.holdsBack();
    if (empty && sink.makeReadyForReport()) {
      dropReporter.reportNow(this);
      return true;
    }
    return empty && !dropReporter.hasNews(); // the sink may free space in time
  }

  @Override
  public void onClose() {
    cancelled = true;
    ILoggingEvent left = handedBack;
    if (left != null) { // the sink was not ready
      handedBack = null;
      ledger.drop(DropReason.ABANDONED, left);
    }
    sink.close();
  }

  /** The stopping thread, on timeout. */
  void cancel() {
    cancelled = true;
  }

  /** Whether no more events are taken and written. Any thread. */
  boolean isCancelled() {
    return cancelled;
  }

  /** Whether waking it is useless because the sink is not ready. Any thread; a hint. */
  boolean isStalled() {
    return sinkState != TAKES;
  }

  /** Whether that has another reason than that it is {@link EventSink#isOpening}. Any thread. */
  boolean isStalledForLong() {
    return sinkState == STALLS;
  }

  /** Events that left the ring and whose batch has ended. Any thread. */
  long flushed() {
    return flushed;
  }
}
