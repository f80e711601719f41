package dev.forebay.tiered.flight;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.Once;
import dev.forebay.agent.TimeLimit;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import dev.forebay.pipeline.EventSink;
import dev.forebay.redact.Redactor;
import dev.forebay.tiered.spool.Loop;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts encoded events into the loop, opens it and gives it up.
 *
 * <p>For the flusher's thread, or a log call in its turn, unless a comment says otherwise.
 */
public final class FlightRecorder {

  /** How often the loop's directory is looked at. */
  private static final long LOOK_NS = 1_000_000_000;

  private final Flight flight;
  private final Once once;
  private final Ledger ledger;
  private final DumpTriggers triggers;
  private final EventKey key;
  private final RecordLayout layout = new RecordLayout();

  private long nowNs;
  private long nextLookNs;

  /**
   * Opens no file yet.
   *
   * @param redactor for the values of its key; null if there is none
   */
  public FlightRecorder(
      Flight flight, Ledger ledger, int ringCapacity, @Nullable Redactor redactor) {
    this.flight = flight;
    this.once = new Once(flight.voice);
    this.ledger = ledger;
    this.key = new EventKey(flight.settings.key(), redactor);
    int turnsOfRing = (ringCapacity + EventSink.MAX_TURN - 1) / EventSink.MAX_TURN;
    this.triggers = new DumpTriggers(flight, turnsOfRing);
  }

  /** Why nothing is recorded; "" if something is. Any thread. */
  public String degraded() {
    return isOpen() ? "" : "the flight recorder has no place to record: see <spoolDirectory>";
  }

  /** Shows its numbers. Any thread. */
  public void show(Map<String, Long> shown) {
    Loop used = flight.loop;
    shown.put("recorderBytes", used == null ? 0L : used.usedBytes());
    shown.put("dumps", flight.dumps);
    shown.put("failedDumps", flight.failedDumps);
    shown.put("dumpedEvents", flight.dumpedEvents); // copies: no term of the account
  }

  private boolean isForLog(int level) {
    return level >= flight.settings.logFrom();
  }

  /** Whether events are recorded now. */
  public boolean isOpen() {
    return flight.loop != null;
  }

  /**
   * Opens the loop beside a spool, or checks it.
   *
   * @param spool the one in use, if there is one
   */
  public void beginTurn(long turnNs, boolean eventsWait, @Nullable Spool spool) {
    nowNs = turnNs;
    Loop used = flight.loop;
    if (used == null || (eventsWait && turnNs - nextLookNs >= 0)) {
      used = look(used, spool);
    }
    if (used != null) {
      if (eventsWait) {
        used.look(turnNs);
      } else if (!used.isSettled()) {
        flush();
      }
      triggers.beginTurn(used, turnNs);
    }
  }

  /** Whether there is a line for the log. */
  public boolean hasNote() {
    return !flight.notes.isEmpty();
  }

  public String takeNote() {
    return flight.notes.remove();
  }

  private @Nullable Loop look(@Nullable Loop used, @Nullable Spool spool) {
    nextLookNs = nowNs + LOOK_NS;
    Loop found = used;
    if (used != null && !flight.ending && !used.isPathIntact()) {
      retire(used);
      found = null;
    }
    if (found == null) {
      found = flight.host.open(spool, nowNs);
      flight.loop = found;
    }
    return found;
  }

  /** Nothing more is recorded there: its order ends, then it is deleted. */
  private void retire(Loop left) {
    flight.loop = null;
    triggers.end(left);
    flight.retired.add(left);
    flight.host.wakeShipper();
  }

  /** Whether a log call in the flusher's turn may record an event of so many bytes. */
  public boolean isReadyForCall(int bytes) {
    Loop used = flight.loop;
    return used == null || used.hasRoomNow(RecordLayout.MOST_BEFORE + bytes);
  }

  /**
   * Records an event. One that is for nothing else is counted here, whatever becomes of it.
   *
   * @param bytes begin with so many of the event, which are copied
   * @return whether it is for the log too
   */
  public boolean record(ILoggingEvent event, byte[] bytes, int length) {
    int level = Levels.indexOf(event);
    // All that may throw comes before anything is counted.
    boolean isTrigger = triggers.include(event, level);
    EventKey.Value value = key.of(event, isTrigger);
    layout.put(value.bytes, bytes, length);
    Loop used = flight.loop;
    if (!flight.begun) {
      flight.begun = true;
      flight.host.wakeShipper();
    }
    if (isTrigger) {
      triggers.trigger(used, level, event.getTimeStamp(), value, nowNs);
    }
    add(used, event, level);
    return isForLog(level);
  }

  private void add(@Nullable Loop used, ILoggingEvent event, int level) {
    boolean isOnlyHere = !isForLog(level);
    SpoolWriter.Outcome outcome =
        used == null
            ? SpoolWriter.Outcome.FULL
            : used.append(layout.bytes(), 0, layout.length(), level, isOnlyHere);
    if (outcome == SpoolWriter.Outcome.ADDED) {
      if (isOnlyHere) {
        ledger.record();
      }
      return;
    }
    triggers.addNotRecorded();
    if (isOnlyHere) {
      boolean isTooLarge = outcome == SpoolWriter.Outcome.TOO_LARGE;
      ledger.drop(isTooLarge ? DropReason.TOO_LARGE : DropReason.NOT_RECORDED, event);
    }
  }

  /** Writes what was recorded since the last call. */
  public void endOfBatch() {
    if (flush()) {
      once.over("writing");
    }
  }

  private boolean flush() {
    Loop used = flight.loop;
    if (used == null) {
      return false;
    }
    try {
      used.flush();
      return true;
    } catch (IOException e) {
      once.warn(
          "writing",
          "the flight recorder cannot write to %s: %s; events are recorded in the space it has"
              .formatted(used.path(), e.getMessage()),
          e);
      return false;
    }
  }

  /** As {@link #endOfBatch}, in the turn of a log call: neither reports nor wakes a thread. */
  public void writeForCall() {
    Loop used = flight.loop;
    try {
      if (used != null) {
        used.flush();
      }
    } catch (IOException e) {
      // The flusher's next turn reports it; a call does not wait for the recorder.
    }
  }

  /** Whether no turn is needed until an event comes. */
  public boolean isSettled() {
    Loop used = flight.loop;
    return (used == null || used.isSettled()) && triggers.isSettled() && flight.notes.isEmpty();
  }

  /** The appender stops: dumps have so much time. The thread that stops it. */
  public void prepareForStop(long timeNs) {
    flight.stopNs = flight.clock.nanoTime() + timeNs;
    prepareForEnd();
  }

  /** Dumps are to end soon. Any thread. */
  public void prepareForEnd() {
    flight.ending = true;
    flight.host.wakeFlusher();
  }

  /**
   * Whether the end is near, and a dump is not done, or no line in the log names it. Any thread.
   */
  public boolean owesDumps() {
    boolean isAsked = flight.loop != null && flight.asked.get() != null;
    return flight.ending && (isAsked || flight.owed.get() > 0 || hasNote());
  }

  /**
   * Waits for what {@link #owesDumps} says: the flusher has its turns without pauses. Any thread.
   */
  public void awaitDumps(TimeLimit limit) {
    boolean unused =
        limit.await(
            () -> {
              boolean isOver = !owesDumps();
              if (!isOver) {
                flight.host.wakeFlusher();
              }
              return isOver;
            });
  }

  /** The JVM ends in order: no crash, unless a dump is missing. The shutdown hook's thread. */
  public void endWithJvm() {
    Loop used = flight.loop;
    if (used != null && !owesDumps()) {
      try {
        used.deleteAtExit();
      } catch (IOException | RuntimeException e) {
        flight.voice.warn(
            "the next start will take this end for a crash and dump " + used.path(), e);
      }
    }
  }

  /** Ends recording: an order ends now. */
  public void close() {
    Loop used = flight.loop;
    if (used != null) {
      flush();
      retire(used);
    }
  }
}
