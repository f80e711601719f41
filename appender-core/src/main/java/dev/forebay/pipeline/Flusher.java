package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.AdaptivePark;
import dev.forebay.agent.Agent;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.OutputHealth;
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

  private static final int TAKES = 0;
  private static final int OPENS = 1;
  private static final int STALLS = 2;

  private final EventRing ring;
  private final HoleWatch holes;
  private final EventSink sink;
  private final Ledger ledger;
  private final DropReporter dropReporter;

  /** Whether the sink takes its events. */
  final OutputHealth health;

  /** The flusher's thread only. */
  private final AdaptivePark park = new AdaptivePark(EVENTS_PER_WAKE, MAX_PARK_NS, IDLE_PARK_NS);

  private @Nullable ILoggingEvent inHand;

  private boolean batchOpen;

  /** Whether this turn has made a report, which is work too. */
  private boolean reported;

  private long handled;

  /** Whether the last turn left nothing in the ring and the sink was ready. */
  private boolean emptied;

  /** Events whose batch has ended, since the start; read by flush(). */
  private volatile long flushed;

  /** Why the sink left events waiting in the last turn, or that it did not; read by callers. */
  private volatile int sinkState = TAKES;

  /** Set when stop() times out, and at the end: no event is taken any more; read by callers. */
  private volatile boolean cancelled;

  Flusher(
      EventRing ring, HoleWatch holes, EventSink sink, Ledger ledger, DropReporter dropReporter) {
    this.ring = ring;
    this.holes = holes;
    this.sink = sink;
    this.ledger = ledger;
    this.health = new OutputHealth(sink.name());
    this.dropReporter = dropReporter;
  }

  @Override
  public int doWork() {
    emptied = false; // also if something throws
    reported = false;
    countUnfinished();
    boolean eventsWait = ring.fill() > 0;
    sink.beginTurn(eventsWait || batchOpen);
    int taken = 0;
    while (taken < EventSink.MAX_TURN && !emptied && sink.makeReady()) {
      emptied = !take(ring.poll());
      taken += emptied ? 0 : 1;
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
    return reported ? taken + 1 : taken;
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
        emptied && ring.fill() == 0 && !batchOpen && !dropReporter.isWaiting() && sink.isSettled();
    return isIdle ? UNTIL_WOKEN : 0;
  }

  /**
   * Takes one event as the turn of a log call. Reports nothing and opens no files. Of another
   * thread's event only that thread may make the bytes, which may depend on it.
   *
   * @return whether it took one
   */
  boolean takeForCall() {
    countUnfinished();
    return take(ring.pollForCall(sink));
  }

  /** Whether the next event must be taken by the flusher's thread. */
  boolean isNextForFlusher() {
    return !ring.isNextForCall(sink, true);
  }

  /** Returns whether there was an event. */
  private boolean take(@Nullable ILoggingEvent event) {
    if (event != null) {
      inHand = event;
      settleInHand(deliver(event, ring.encoded()));
    }
    return event != null;
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
    reported = true;
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
    boolean empty = taken < EventSink.MAX_TURN && ring.fill() == 0 && !sink.holdsBack();
    if (empty && sink.makeReadyForReport()) {
      dropReporter.reportNow(this);
      return true;
    }
    return empty && !dropReporter.hasNews(); // the sink may free space in time
  }

  @Override
  public void onClose() {
    cancelled = true;
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

  /** Whether it stalls for another reason than {@link EventSink#isOpening}. Any thread. */
  boolean isStalledForLong() {
    return sinkState == STALLS;
  }

  /** Events that left the ring and whose batch has ended. Any thread. */
  long flushed() {
    return flushed;
  }
}
