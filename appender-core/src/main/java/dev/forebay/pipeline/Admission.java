package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The callers' side of a pipeline: prepares an event and puts it into the ring, or counts why not.
 * Any thread.
 *
 * <p>Callers do not wake the flusher, since that costs them 50 to 150 times the call itself. It
 * polls. Only when the ring is filled past its high-water mark, in slots or bytes, or for an urgent
 * event, one caller wakes it, at most once a park, and not while the sink takes nothing.
 */
final class Admission {

  /** Share of the ring that may fill before a caller wakes the flusher. */
  private static final int HIGH_WATER_DIVISOR = 4;

  /**
   * How long a caller that may wait parks between two tries, nanoseconds a slot: less than a
   * flusher at its fastest needs for it, so that the ring does not run empty meanwhile. Each park
   * costs 15 to 40 µs of a processor that the flusher may need.
   */
  private static final long WAIT_NS_PER_SLOT = 60;

  private static final long MIN_WAIT_STEP_NS = 100_000;
  private static final long MAX_WAIT_STEP_NS = 1_000_000;

  private final PipelineSettings settings;
  private final ReplaceableRing rings;
  private final Flusher flusher;
  private final AgentThread flusherThread;
  private final Ledger ledger;
  private final NanoClock clock;
  private final int highWater;
  private final long waitStepNs;

  /** Written by stop(); read by every log call. */
  private volatile boolean closed;

  /** Lowered to TRACE when the JVM shuts down, so that the last events do not wait for a poll. */
  private volatile int urgentIndex;

  Admission(
      PipelineSettings settings,
      ReplaceableRing rings,
      Flusher flusher,
      AgentThread flusherThread,
      Ledger ledger,
      NanoClock clock) {
    this.settings = settings;
    this.rings = rings;
    this.flusher = flusher;
    this.flusherThread = flusherThread;
    this.ledger = ledger;
    this.clock = clock;
    this.urgentIndex = settings.urgentIndex();
    int slots = settings.ringCapacity();
    this.highWater = Math.max(1, slots / HIGH_WATER_DIVISOR);
    this.waitStepNs =
        Math.max(MIN_WAIT_STEP_NS, Math.min(MAX_WAIT_STEP_NS, WAIT_NS_PER_SLOT * slots));
  }

  /** Refuses events from now on. */
  void close() {
    closed = true;
  }

  /** Makes every event urgent. */
  void treatAllAsUrgent() {
    urgentIndex = 0;
  }

  /**
   * Takes one event or counts why not.
   *
   * @param caller the {@link CallerState} of the current thread
   */
  void offer(ILoggingEvent event, int[] caller) {
    if (closed) {
      ledger.drop(DropReason.STOPPED, event);
      return;
    }
    int level = Levels.indexOf(event);
    int limit = settings.fillLimits().of(level);
    EventRing ring = rings.current();
    if (ring.isFullTo(limit) && settings.appendTimeoutNs() == 0) {
      refuseUnprepared(ring, level, limit, event);
      return;
    }
    event.prepareForDeferredProcessing();
    if (settings.includeCallerData()) {
      event.getCallerData();
    }
    long weightBytes = EventWeight.of(event) + EventWeight.ofMdc(event, caller);
    boolean taken =
        ring.offer(event, weightBytes, Math.min(limit, highWater))
            || offerAboveHighWater(event, weightBytes, limit);
    if (!taken) {
      EventWeight.forgetMdc(caller);
    } else if (level >= urgentIndex && !flusher.isStalled()) {
      flusherThread.wake();
    }
    if (closed) { // stop() may have taken its last look at the ring before this event was in it
      rings.settleStragglers();
    }
  }

  /** A flusher that cannot pass on what it has finds out by itself when it can. */
  private void wake() {
    if (!flusher.isStalled()) {
      flusherThread.wakeIfParked();
    }
  }

  /** Refuses an event before it has cost the caller more than its object. */
  private void refuseUnprepared(EventRing ring, int level, int limit, ILoggingEvent event) {
    wake();
    // Without its message the event is not fit to be shown as an example of the drops.
    ledger.drop(refusal(ring, 0, limit), level, 1, event.getTimeStamp());
  }

  /** Whether the event got in; otherwise it is counted as dropped. */
  private boolean offerAboveHighWater(ILoggingEvent event, long weightBytes, int limit) {
    wake();
    EventRing refuses;
    do { // once more when another ring has taken the place of the one that refuses
      refuses = rings.current();
      if (refuses.offer(event, weightBytes, limit)) {
        return true;
      }
    } while (refuses != rings.current());
    @Nullable DropReason reason =
        mayWait(refuses, weightBytes, limit)
            ? offerWaiting(event, weightBytes, limit)
            : refusal(refuses, weightBytes, limit);
    if (reason != null) {
      refuses.noteRefusal();
      ledger.drop(reason, event);
    }
    return reason == null;
  }

  /** A level that is shed is not worth a caller's time. */
  private boolean mayWait(EventRing ring, long weightBytes, int limit) {
    return settings.appendTimeoutNs() > 0
        && limit == ring.capacity()
        && !ring.canNeverHold(weightBytes);
  }

  private DropReason refusal(EventRing ring, long weightBytes, int limit) {
    if (closed) { // the last look at the ring leaves no slot free
      return DropReason.STOPPED;
    }
    if (ring.lacksBytes(weightBytes)) {
      return DropReason.BYTES_FULL;
    }
    return limit < ring.capacity() && ring.size() < ring.capacity()
        ? DropReason.SHED
        : DropReason.RING_FULL;
  }

  /** Waits for room, as the user asked by appendTimeout. Null when the event got in. */
  private @Nullable DropReason offerWaiting(ILoggingEvent event, long weightBytes, int limit) {
    long deadlineNs = clock.nanoTime() + settings.appendTimeoutNs();
    while (true) {
      if (closed) {
        return DropReason.STOPPED;
      }
      boolean interrupted = Thread.currentThread().isInterrupted();
      boolean timedOut = clock.nanoTime() - deadlineNs >= 0;
      if (rings.current().offer(event, weightBytes, limit)) {
        return null;
      }
      if (interrupted) {
        return DropReason.INTERRUPTED;
      }
      if (timedOut) {
        return DropReason.TIMEOUT;
      }
      wake();
      LockSupport.parkNanos(this, waitStepNs);
    }
  }
}
