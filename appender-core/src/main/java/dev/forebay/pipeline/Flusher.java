package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.Agent;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.OutputHealth;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The other side of the ring: takes events out, hands them to the sink and ends the batch.
 *
 * <p>What the sink throws costs the one event it was given. All fields are the flusher's thread's
 * own unless a comment says otherwise; they survive the thread, so that after an Error the next
 * thread goes on with the event after the one in hand.
 */
final class Flusher implements Agent {

  private static final int CHUNK = 256;

  /** Events of one turn; then the batch ends even if the ring still fills as fast as it drains. */
  private static final int MAX_TURN = 8192;

  private final EventRing ring;
  private final EventSink sink;
  private final Ledger ledger;
  private final OutputHealth health;
  private final DropReporter dropReporter;

  private final @Nullable ILoggingEvent[] chunk = new ILoggingEvent[CHUNK];
  private int next;
  private int end;
  private @Nullable ILoggingEvent inHand;
  private boolean batchOpen;
  private long handled;

  /** Events whose batch has ended, counted since the start; read by whoever waits in flush. */
  private volatile long flushed;

  /** Raised by stop() when its time is over: the flusher takes no further event. */
  private volatile boolean givenUp;

  Flusher(
      EventRing ring,
      EventSink sink,
      Ledger ledger,
      OutputHealth health,
      DropReporter dropReporter) {
    this.ring = ring;
    this.sink = sink;
    this.ledger = ledger;
    this.health = health;
    this.dropReporter = dropReporter;
  }

  @Override
  public int doWork() {
    countUnfinished();
    sink.beginTurn();
    int taken = 0;
    while (taken < MAX_TURN && sink.isReady() && hasNext()) {
      deliverNext();
      taken++;
    }
    boolean emptied = next == end && taken < MAX_TURN;
    if (!givenUp && sink.isReady() && dropReporter.reportWhenQuiet(emptied, this::report)) {
      batchOpen = true;
    }
    endBatch();
    return taken;
  }

  private boolean hasNext() {
    if (next == end && !givenUp) {
      next = 0;
      end = ring.drain(chunk);
    }
    return next < end && !givenUp;
  }

  private void deliverNext() {
    ILoggingEvent event = chunk[next];
    chunk[next++] = null;
    if (event == null) {
      return;
    }
    inHand = event;
    deliver(event);
    ring.release(event);
    inHand = null;
    handled++;
    batchOpen = true;
  }

  private boolean deliver(ILoggingEvent event) {
    try {
      sink.accept(event);
      health.succeeded();
      return true;
    } catch (Throwable t) { // encoders and appenders are foreign code
      ledger.drop(sink.failureReason(), event);
      health.failed(t);
      return false;
    }
  }

  private void report(ILoggingEvent report) {
    ledger.addReport();
    if (!deliver(report)) {
      dropReporter.discardPending();
    }
  }

  /** An Error struck between taking an event and counting it. */
  private void countUnfinished() {
    ILoggingEvent event = inHand;
    if (event != null) {
      inHand = null;
      handled++;
      ledger.drop(sink.failureReason(), event);
      ring.release(event);
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
    doWork();
    if (givenUp) {
      abandonChunk();
      return true;
    }
    boolean empty = next == end && ring.size() == 0;
    if (empty && sink.isReady() && dropReporter.reportNow(this::report)) {
      batchOpen = true;
      endBatch();
    }
    return empty;
  }

  @Override
  public void onClose() {
    sink.close();
  }

  private void abandonChunk() {
    for (; next < end; next++) {
      ILoggingEvent event = chunk[next];
      if (event != null) {
        ledger.drop(DropReason.ABANDONED, event);
        ring.release(event);
      }
    }
    Arrays.fill(chunk, null);
  }

  /** Called by the stopping thread when its time is over. */
  void giveUp() {
    givenUp = true;
  }

  /** Events that left the ring and whose batch has ended. Any thread. */
  long flushed() {
    return flushed;
  }
}
