package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.AdaptivePark;
import dev.forebay.agent.Agent;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.OutputHealth;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Predicate;
import java.util.stream.IntStream;
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

  private final EventRing ring;
  private final HoleWatch holes;
  private final EventSink sink;
  private final Ledger ledger;
  private final OutputHealth health;
  private final DropReporter dropReporter;
  private final CallerEncoding callerEncoding;

  /** The flusher's thread only. */
  private final AdaptivePark park = new AdaptivePark(EVENTS_PER_WAKE, MAX_PARK_NS, IDLE_PARK_NS);

  /** As {@link AppenderMXBean#getTurnsByEvents}; read by JMX. */
  private final AtomicLongArray turnsByEvents =
      new AtomicLongArray(Integer.SIZE - Integer.numberOfLeadingZeros(EventSink.MAX_TURN));

  private @Nullable ILoggingEvent inHand;

  /** The next event, which a log call took out of the ring and could not encode. */
  private @Nullable ILoggingEvent handedBack;

  private boolean batchOpen;
  private long handled;

  /** Whether the last turn left nothing in the ring and the sink was ready. */
  private boolean emptied;

  /** Events whose batch has ended, since the start; read by flush(). */
  private volatile long flushed;

  /** Reports requested out of turn; written by the shutdown hook. */
  private volatile int reportsRequested;

  /** Of these, those made; written by the flusher's thread. */
  private volatile int reportsMade;

  /** Whether the sink stopped taking events in the last turn while more waited; read by callers. */
  private volatile boolean stalled;

  /** Set when stop() times out, and at the end: nobody takes events any more; read by callers. */
  private volatile boolean cancelled;

  Flusher(
      EventRing ring,
      HoleWatch holes,
      EventSink sink,
      Ledger ledger,
      OutputHealth health,
      DropReporter dropReporter,
      CallerEncoding callerEncoding) {
    this.ring = ring;
    this.holes = holes;
    this.sink = sink;
    this.ledger = ledger;
    this.health = health;
    this.dropReporter = dropReporter;
    this.callerEncoding = callerEncoding;
  }

  @Override
  public int doWork() {
    emptied = false; // also if something throws
    countUnfinished();
    boolean eventsWait = ring.fill() > 0;
    sink.beginTurn(eventsWait || batchOpen);
    int taken = 0;
    while (taken < EventSink.MAX_TURN && !emptied && sink.isReady()) {
      boolean isBack = handedBack != null;
      ILoggingEvent event = isBack ? handedBack : ring.poll();
      handedBack = null;
      emptied = event == null;
      if (event != null) {
        inHand = event;
        deliver(event, isBack ? CallerEncoding.FAILED : ring.encoded());
        settleInHand();
        taken++;
      }
    }
    noteStalled(eventsWait && !emptied && taken < EventSink.MAX_TURN);
    if (emptied) {
      handled += holes.look();
    }
    if (taken > 0) {
      callerEncoding.look();
      countTurn(taken);
    }
    if (!cancelled && sink.isReadyForReport()) {
      reportDrops(emptied, taken > 0 || batchOpen);
    }
    endBatch();
    return taken;
  }

  /** No caller wakes a stalled flusher, so it must not park as long as an idle one. */
  @Override
  public long parkNs(int workDone, long nowNs) {
    long parkNs = park.parkNs(workDone, nowNs);
    return stalled ? Math.min(parkNs, MAX_PARK_NS) : parkNs;
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
            && hasMadeReports()
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
    byte[] bytes = known == null ? callerEncoding.encode(event) : known;
    if (bytes == CallerEncoding.FAILED) {
      inHand = null;
      handedBack = event;
      return false;
    }
    deliver(event, bytes);
    settleInHand();
    return true;
  }

  /** Whether the next event can be taken in the turn of a log call. */
  boolean isReadyForCall() {
    return handedBack == null && sink.isReadyForCall();
  }

  /** Writes what was taken; the batch stays open for the flusher's next turn. */
  boolean writeForCall() {
    return sink.writeForCall();
  }

  /** Events that left the ring since the start. Flusher only. */
  long handled() {
    return handled;
  }

  private void noteStalled(boolean now) {
    if (stalled != now) {
      stalled = now;
    }
  }

  private void reportDrops(boolean emptied, boolean tookEvents) {
    int asked = reportsRequested; // read before the drops are
    if (emptied && asked != reportsMade) {
      dropReporter.reportNow(this);
      reportsMade = asked;
    } else {
      dropReporter.reportWhenQuiet(emptied, tookEvents, this);
    }
  }

  private void countTurn(int events) {
    int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(events);
    turnsByEvents.lazySet(power, turnsByEvents.get(power) + 1); // one writer
  }

  private void settleInHand() {
    inHand = null;
    ring.release();
    handled++;
    batchOpen = true;
  }

  private void deliver(ILoggingEvent event, byte @Nullable [] bytes) {
    try {
      if (bytes == null || bytes == CallerEncoding.FAILED) {
        sink.accept(event);
      } else {
        sink.acceptEncoded(event, bytes);
      }
      health.succeeded();
      if (bytes == CallerEncoding.FAILED) {
        callerEncoding.failedInCallOnly();
      }
    } catch (Throwable t) { // encoders and appenders are foreign code
      ledger.drop(sink.failureReason(), event);
      health.failed(t);
    }
  }

  /** Delivers a report in a batch of its own. Returns whether the sink took it. */
  @Override
  public boolean test(ILoggingEvent report) {
    endBatch();
    ledger.addReport();
    batchOpen = true;
    boolean taken = false;
    try {
      taken = sink.acceptReport(report);
    } catch (Throwable t) { // as in deliver
      ledger.drop(sink.failureReason(), report);
      health.failed(t);
    }
    endBatch();
    return taken;
  }

  /** Counts the event in hand if an Error struck before it was counted. */
  private void countUnfinished() {
    ILoggingEvent event = inHand;
    if (event != null) {
      settleInHand();
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
    if (empty && sink.isReadyForReport()) {
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

  /** Called by the stopping thread on timeout. */
  void cancel() {
    cancelled = true;
  }

  /** Whether no more events are taken and written. Any thread. */
  boolean isCancelled() {
    return cancelled;
  }

  /** Whether waking it is useless because the sink is not ready. Any thread; a hint. */
  boolean isStalled() {
    return stalled;
  }

  /** Requests a report of drops as soon as the ring is empty, whatever the interval. One thread. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void requestReport() {
    reportsRequested++;
  }

  /** Whether all requested reports are made. */
  boolean hasMadeReports() {
    return reportsMade == reportsRequested;
  }

  long[] turnsByEvents() {
    return IntStream.range(0, turnsByEvents.length()).mapToLong(turnsByEvents::get).toArray();
  }

  /** Events that left the ring and whose batch has ended. Any thread. */
  long flushed() {
    return flushed;
  }
}
