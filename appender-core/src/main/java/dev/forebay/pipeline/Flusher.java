package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.Agent;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.OutputHealth;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The other side of the ring: takes events out, hands them to the sink and ends the batch.
 *
 * <p>What the sink throws costs the one event it was given. All fields are the flusher's thread's
 * own unless a comment says otherwise; they survive the thread, so that after an Error the next
 * thread goes on with the event after the one in hand.
 */
final class Flusher implements Agent {

  /** Events of one turn; then the batch ends even if the ring still fills as fast as it drains. */
  private static final int MAX_TURN = 8192;

  private final ReplaceableRing rings;
  private final EventSink sink;
  private final Ledger ledger;
  private final OutputHealth health;
  private final DropReporter dropReporter;
  private final CallerDataCheck callerDataCheck;

  /** As {@link AppenderMXBean#getTurnsByEvents}; read by JMX. */
  private final AtomicLongArray turnsByEvents =
      new AtomicLongArray(Integer.SIZE - Integer.numberOfLeadingZeros(MAX_TURN));

  private @Nullable ILoggingEvent inHand;
  private boolean batchOpen;
  private long handled;

  /** Events whose batch has ended, counted since the start; read by whoever waits in flush. */
  private volatile long flushed;

  /** Reports asked for out of turn; written by the shutdown hook. */
  private volatile int reportsRequested;

  /** Of these, those made; written by the flusher's thread. */
  private volatile int reportsMade;

  /** Whether events wait and the sink took none of them in the last turn; read by callers. */
  private volatile boolean stalled;

  /** Raised by stop() when its time is over: the flusher takes no further event. */
  private volatile boolean cancelled;

  Flusher(
      ReplaceableRing rings,
      EventSink sink,
      Ledger ledger,
      OutputHealth health,
      DropReporter dropReporter,
      CallerDataCheck callerDataCheck) {
    this.rings = rings;
    this.sink = sink;
    this.ledger = ledger;
    this.health = health;
    this.dropReporter = dropReporter;
    this.callerDataCheck = callerDataCheck;
  }

  @Override
  public int doWork() {
    countUnfinished();
    boolean eventsWait = rings.fill() > 0;
    sink.beginTurn(eventsWait);
    int taken = 0;
    boolean emptied = false;
    ILoggingEvent newest = null;
    while (taken < MAX_TURN && !emptied && sink.isReady()) {
      ILoggingEvent event = rings.poll();
      emptied = event == null;
      if (event != null) {
        inHand = event;
        deliver(event);
        settleInHand();
        newest = event;
        taken++;
      }
    }
    noteStalled(eventsWait && !emptied && taken < MAX_TURN);
    if (emptied) {
      handled += rings.lookForHole();
    }
    if (newest != null) {
      callerDataCheck.look(newest);
      countTurn(taken);
    }
    if (!cancelled && sink.isReady()) {
      reportDrops(emptied, taken > 0);
    }
    endBatch();
    return taken;
  }

  private void noteStalled(boolean now) {
    if (stalled != now) {
      stalled = now;
    }
  }

  private void reportDrops(boolean emptied, boolean tookEvents) {
    int asked = reportsRequested; // before the drops are looked at
    if (emptied && asked != reportsMade) {
      dropReporter.reportNow(this::report);
      reportsMade = asked;
    } else {
      dropReporter.reportWhenQuiet(emptied, tookEvents, this::report);
    }
  }

  private void countTurn(int events) {
    int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(events);
    turnsByEvents.lazySet(power, turnsByEvents.get(power) + 1); // one writer
  }

  private void settleInHand() {
    inHand = null;
    rings.release();
    handled++;
    batchOpen = true;
  }

  private void deliver(ILoggingEvent event) {
    try {
      sink.accept(callerDataCheck.shown(event));
      health.succeeded();
    } catch (Throwable t) { // encoders and appenders are foreign code
      ledger.drop(sink.failureReason(), event);
      health.failed(t);
    }
  }

  /** Delivers a report in a batch of its own; whether the sink took it. */
  private boolean report(ILoggingEvent report) {
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

  /** An Error struck between taking an event and counting it. */
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
    boolean empty = taken < MAX_TURN && rings.fill() == 0;
    if (empty && sink.isReady()) {
      dropReporter.reportNow(this::report);
      return true;
    }
    return empty && !dropReporter.hasNews(); // what the last event filled may come free in time
  }

  @Override
  public void onClose() {
    sink.close();
  }

  /** Called by the stopping thread when its time is over. */
  void cancel() {
    cancelled = true;
  }

  /** Whether waking it is of no use now: the sink was not ready. Any thread; a hint. */
  boolean isStalled() {
    return stalled;
  }

  /**
   * Has what was dropped reported as soon as the ring is empty, whatever the interval. One thread.
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void requestReport() {
    reportsRequested++;
  }

  /** Whether every report that was asked for is made. */
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
