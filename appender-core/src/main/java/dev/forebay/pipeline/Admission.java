package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.SleepFlag;
import dev.forebay.agent.TimeLimit;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The callers' side of a pipeline: prepares an event and puts it into the ring, or counts why not.
 * Any thread.
 *
 * <p>Callers normally do not wake the flusher, which would cost 50 to 150 times the call itself; it
 * polls. One caller wakes it, at most once per park, for an urgent event or when the ring passes
 * its high-water mark in slots or bytes, but not while the flusher is stalled. The first event
 * after an idle time wakes a flusher that sleeps.
 *
 * <p>While more than half of the ring is used calls help, if the sink allows it: they encode their
 * own events, and a call that finds its part of the ring full takes the flusher's turn ({@link
 * CallTurns}) or waits for room, for a limited time; after that its event goes into the ring's
 * reserve. With durability each call encodes, so that a durable one can write what is before its
 * own.
 */
class Admission {

  /**
   * Fraction of the ring that may fill before callers weigh the MDC. That takes 0.7 µs more of a
   * call whose caches are cold, which would be the 99th percentile of a steady load.
   */
  private static final int LOW_WATER_DIVISOR = 16;

  /** Fraction of the ring that may fill before a caller wakes the flusher. */
  private static final int HIGH_WATER_DIVISOR = 4;

  /**
   * Fraction of the ring that may fill before calls help. A burst that is smaller costs each of its
   * calls half as much.
   */
  private static final int HELP_DIVISOR = 2;

  /**
   * How long a waiting caller parks between two attempts, nanoseconds per slot. Less than the
   * fastest flusher needs for a slot, so that the ring does not run empty in the meantime; no less
   * than that, because each park takes 15 to 40 µs of processor time that the flusher may need.
   */
  private static final long WAIT_NS_PER_SLOT = 60;

  /** How long a call that helps waits in all while its part of the ring is full, nanoseconds. */
  static final long MAX_WAIT_NS = 100_000_000;

  private static final long MIN_WAIT_STEP_NS = 100_000;
  private static final long MAX_WAIT_STEP_NS = 1_000_000;

  private final FillLimits limits;
  private final long appendTimeoutNs;
  private final boolean includeCallerData;

  /** Whether each call encodes its event, since what the encoder writes depends on the thread. */
  private final boolean encodesAll;

  private final @Nullable CallDurability durability;
  private final EventRing ring;
  private final Flusher flusher;
  private final AgentThread flusherThread;
  private final CallTurns turns;
  private final SleepFlag flusherSleep;
  final Ledger ledger;
  final NanoClock clock;
  private final int lowWater;
  private final int highWater;
  private final int helpFrom;
  private final long waitStepNs;

  /** Written by stop(); read by every log call. */
  volatile boolean closed;

  /** Lowered to TRACE at JVM shutdown: the last events must not wait for a poll. */
  private volatile int urgentIndex;

  Admission(PipelineSettings settings, CallTurns turns) {
    this.limits = settings.fillLimits();
    this.appendTimeoutNs = settings.appendTimeoutNs();
    this.includeCallerData = settings.includeCallerData();
    this.encodesAll = turns.encodesAll;
    this.durability = turns.durability;
    this.ring = turns.ring;
    this.flusher = turns.flusher;
    this.flusherThread = turns.thread;
    this.turns = turns;
    this.flusherSleep = flusherThread.sleepFlag();
    this.ledger = turns.ledger;
    this.clock = turns.clock;
    this.urgentIndex = settings.urgentIndex();
    int slots = settings.ringCapacity();
    this.lowWater = Math.max(1, slots / LOW_WATER_DIVISOR);
    this.highWater = Math.max(1, slots / HIGH_WATER_DIVISOR);
    this.helpFrom = Math.max(1, slots / HELP_DIVISOR);
    this.waitStepNs =
        Math.max(MIN_WAIT_STEP_NS, Math.min(MAX_WAIT_STEP_NS, WAIT_NS_PER_SLOT * slots));
  }

  void close() {
    closed = true;
  }

  void treatAllAsUrgent() {
    urgentIndex = 0;
  }

  /**
   * Accepts one event, or counts why not.
   *
   * @param caller the {@link AppendGate#newCaller state} of the current thread
   */
  void offer(ILoggingEvent event, int[] caller) {
    if (closed) {
      ledger.drop(DropReason.STOPPED, event);
      return;
    }
    int level = Levels.indexOf(event);
    int limit = limits.of(level);
    if (appendTimeoutNs == 0 && ring.isFullTo(limit) && !helps()) {
      wake();
      // Not formatted: it must not become the sample of these drops.
      ledger.drop(refusal(0, limit), level, 1, event.getTimeStamp());
      return;
    }
    boolean confirms = durability != null && durability.includes(event, level);
    event.prepareForDeferredProcessing();
    if (includeCallerData) {
      var unused = EventPart.of(event, ILoggingEvent::getCallerData);
    }
    long eventBytes = EventWeight.of(event);
    byte[] bytes = encodesAll || (durability != null && turns.helps()) ? turns.encode(event) : null;
    boolean taken =
        ring.offer(event, bytes, eventBytes + sizeOf(bytes), Math.min(limit, lowWater))
            || offerAboveLowWater(
                event, bytes, eventBytes + EventWeight.ofMdc(event, caller), level);
    if (!taken) {
      EventWeight.forgetMdc(caller);
    } else if (confirms) {
      turns.confirm();
    } else if (level >= urgentIndex && !flusher.isStalled()) {
      flusherThread.wake();
    } else if (flusherSleep.isUp()) { // read after the producer index was written by a full fence
      flusherThread.wake();
    }
    if (closed) { // stop() may have drained the ring before this event was in it
      ring.settleStragglers();
    }
  }

  /** A stalled flusher checks by itself whether it can continue. */
  private void wake() {
    if (!flusher.isStalled()) {
      flusherThread.wakeIfParked();
    }
  }

  private static int sizeOf(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private boolean offerAboveLowWater(
      ILoggingEvent event, byte @Nullable [] encoded, long eventBytes, int level) {
    int limit = Math.min(limits.of(level), highWater);
    return ring.offer(event, encoded, eventBytes + sizeOf(encoded), limit)
        || offerAboveHighWater(event, encoded, eventBytes, level);
  }

  /** In a method of its own: what the compiler knows of the one above stays right. */
  private boolean offerAboveHighWater(
      ILoggingEvent event, byte @Nullable [] encoded, long eventBytes, int level) {
    byte[] bytes = encoded;
    long weightBytes = eventBytes + sizeOf(bytes);
    wake();
    boolean helps = helps();
    if (helps && ring.offer(event, bytes, weightBytes, Math.min(limits.of(level), helpFrom))) {
      return true;
    }
    if (helps && bytes == null) {
      bytes = turns.encode(event);
      weightBytes = eventBytes + sizeOf(bytes);
    }
    if (ring.canNeverHold(weightBytes) && !encodesAll) {
      bytes = null;
      weightBytes = eventBytes;
    }
    int limit = helps ? limits.ofHelped(level) : limits.of(level);
    if (ring.offer(event, bytes, weightBytes, limit)) {
      return true;
    }
    boolean isShed = limit < ring.capacity() && !(helps && limits.onlyForLackOfSpool());
    @Nullable DropReason reason =
        isShed || ring.canNeverHold(weightBytes)
            ? refusal(weightBytes, limit)
            : offerAgain(event, bytes, weightBytes, limit, helps);
    if (reason != null) {
      ring.noteRefusal();
      ledger.drop(reason, event);
    }
    return reason == null;
  }

  /**
   * Whether a call above the high-water mark helps. Those that may wait do not: one thread that
   * encodes in long turns costs less in all than many that share the work.
   */
  private boolean helps() {
    return appendTimeoutNs == 0 && turns.helps();
  }

  /** Tries again as long as it may. Returns null if the event was accepted. */
  private @Nullable DropReason offerAgain(
      ILoggingEvent event, byte @Nullable [] bytes, long weightBytes, int limit, boolean helps) {
    if (appendTimeoutNs > 0) {
      return offerWaiting(event, bytes, weightBytes);
    }
    boolean taken =
        helps
            && (turns.work(
                    () -> ring.offer(event, bytes, weightBytes, limit),
                    () -> closed || flusher.isStalled(),
                    MAX_WAIT_NS)
                // only a turn was missing: its holder continues when it gets a processor
                || !closed && helps() && ring.offerToReserve(event, bytes, weightBytes, limit));
    return taken ? null : refusal(weightBytes, limit);
  }

  private DropReason refusal(long weightBytes, int limit) {
    if (closed) { // stop() may have filled all free slots
      return DropReason.STOPPED;
    }
    if (ring.lacksBytes(weightBytes)) {
      return DropReason.BYTES_FULL;
    }
    return limit < ring.capacity() && ring.size() < ring.capacity()
        ? DropReason.SHED
        : DropReason.RING_FULL;
  }

  /** Waits up to appendTimeout for room. Returns null if the event was accepted. */
  private @Nullable DropReason offerWaiting(
      ILoggingEvent event, byte @Nullable [] bytes, long weightBytes) {
    TimeLimit time = new TimeLimit(clock, appendTimeoutNs);
    while (true) {
      if (closed) {
        return DropReason.STOPPED;
      }
      boolean interrupted = Thread.currentThread().isInterrupted();
      boolean isOver = time.leftNs() <= 0;
      boolean timedOut = isOver || AgentThread.carriedHere() != null; // other events would wait
      if (ring.offer(event, bytes, weightBytes, ring.capacity())) {
        return null;
      }
      if (interrupted) {
        return DropReason.INTERRUPTED;
      }
      if (timedOut) {
        return DropReason.TIMEOUT;
      }
      wake();
      LockSupport.parkNanos(this, Math.min(waitStepNs, 1 + appendTimeoutNs / TimeLimit.LOOKS));
    }
  }
}
