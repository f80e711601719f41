package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.agent.TimeLimit;
import dev.forebay.agent.Voice;
import dev.forebay.observe.Ledger;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets log calls take the flusher's turn: those that find the ring full, to make room, and those
 * that return only when their event is in the spool. All events go through the ring, so order and
 * account stay as they are.
 *
 * <p>The lock {@code turn} guards what otherwise belongs to the flusher's thread: the fields of
 * {@link Flusher}, of the sink and of all they own. The flusher's thread holds it in each of its
 * turns. The holder writes for all: a call that waited for the lock may find its event written. A
 * call waits only for a limited time, so neither an encoder that hangs nor another appender's log
 * call inside an encoder can stop it for longer.
 *
 * <p>A call puts records into the open segment and writes them. All else that may wait, report or
 * call foreign code is left to the flusher's thread: encoding what its own call has not encoded,
 * opening segments, moving the spool, reports of drops, waking the shipper.
 */
final class CallTurns implements Agent, Consumer<Throwable> {

  /** How long a call goes on taking events in a turn, nanoseconds. */
  private static final long MAX_TURN_NS = 1_000_000;

  /** How long a call parks while the next turn must be the flusher's, nanoseconds. */
  private static final long PARK_NS = 50_000;

  /**
   * Tries at the lock before a call queues for it: a park takes longer than most turns, and many
   * calls in the queue are woken one after another.
   */
  private static final int SPINS = 200;

  /** How long the flusher's thread queues for the lock before it tries again, nanoseconds. */
  private static final long QUEUE_NS = 1_000_000;

  /**
   * How long nothing may be written to the spool, nanoseconds: longer than a writing thread waits
   * for a processor. Among 300 threads on two of them a turn took up to ten seconds, in code that
   * was cold, and calls that dropped at once lost nine of ten events.
   */
  static final long STILL_NS = 15_000_000_000L;

  /** How old a look at progress may be, nanoseconds: most calls then share one cache line. */
  private static final long LOOK_NS = 1_000_000;

  private static final byte[] NOTHING = {};

  final @Nullable CallDurability durability;
  final boolean encodesAll;

  /** The flusher's thread, which is to be started. */
  final AgentThread thread;

  final EventRing ring;
  final Flusher flusher;
  final Ledger ledger;
  final NanoClock clock;
  private final EventSink sink;
  private final Voice voice;

  /** What log calls may encode with; null: nothing, and they take no turns. */
  private final @Nullable Encoder<ILoggingEvent> encoder;

  private final boolean callsMayWait;

  private final ReentrantLock turn = new ReentrantLock();

  /** Events of this start that are in the spool or counted as dropped. Guarded by turn. */
  private volatile long confirmed;

  /**
   * Whether the next turn must be the flusher's: calls that try for it would keep it from that.
   * Guarded by turn; read by calls.
   */
  private volatile boolean needsFlusher;

  /** Events that calls have taken since the flusher's last turn. Guarded by turn. */
  private int takenByCalls;

  /** Unconfirmed calls of earlier starts, which were reported then. */
  private final long unconfirmedBefore;

  // Written by any log call. A pair that does not match lets calls help a little longer.
  private volatile long seenProgress = -1;
  private volatile long movedNs;

  /** When a call last looked, and for how long nothing had moved, as a {@link TimeLimit} counts. */
  private final AtomicLong lookedNs = new AtomicLong();

  private final AtomicLong stillNs = new AtomicLong();

  /** Flusher's thread only. */
  private boolean warned;

  CallTurns(
      EventRing ring,
      Flusher flusher,
      EventSink sink,
      Ledger ledger,
      PipelineContext context,
      ParkPolicy park,
      String threadName) {
    this.durability = sink.durability();
    this.encodesAll = sink.isEncodedByCalls();
    this.ring = ring;
    this.flusher = flusher;
    this.sink = sink;
    this.ledger = ledger;
    this.clock = context.clock();
    this.voice = context.voice();
    this.encoder = sink.callerEncoder();
    this.callsMayWait = sink.callsMayWait();
    this.unconfirmedBefore = ledger.unconfirmed();
    this.thread = new AgentThread(this, park, threadName, clock, this, AgentThread.ANY);
  }

  /**
   * Returns when the event that this thread has just put into the ring is in the spool, or counts
   * the call as unconfirmed.
   */
  void confirm() {
    boolean isConfirmed = false;
    try {
      thread.wakeIfAsleep(); // reads the flag after the offer, as in Admission
      long target = ring.acceptedForCall();
      long timeoutNs = Objects.requireNonNull(durability).timeoutNs();
      isConfirmed =
          work(
              () -> confirmed >= target,
              () -> flusher.isCancelled() || !sink.survivesKill() || flusher.isStalledForLong(),
              timeoutNs);
    } catch (Throwable t) { // no stack or heap left; what the turn had in hand is the next turn's
      thread.wake();
    }
    if (!isConfirmed) {
      ledger.addUnconfirmed();
    }
  }

  /**
   * Takes turns, first without waiting for them, until something is done or no thread writes. An
   * interrupt does not shorten it; the interrupt flag stays set.
   *
   * @param isVain whether it will not be done, for now
   * @param timeoutNs how long to wait at most, as a {@link TimeLimit}
   * @return whether it is done
   */
  boolean work(BooleanSupplier isDone, BooleanSupplier isVain, long timeoutNs) {
    TimeLimit time = new TimeLimit(clock, timeoutNs);
    long stepNs = timeoutNs / TimeLimit.LOOKS; // after each it tries for the turn
    long leftNs = timeoutNs;
    long waitNs = 0;
    boolean interrupted = false;
    try {
      while (true) {
        boolean wrote = takeTurn(waitNs);
        if (isDone.getAsBoolean()) {
          return true;
        }
        if (leftNs <= 0 || isVain.getAsBoolean() || !lookForMoves(progress())) {
          return isDone.getAsBoolean();
        }
        interrupted |= Thread.interrupted(); // else nothing would wait
        if (!wrote && waitNs > 0) { // the flusher's thread has to do something
          thread.wake();
          LockSupport.parkNanos(this, Math.min(PARK_NS, waitNs));
        }
        leftNs = time.leftNs();
        waitNs = Math.max(0, Math.min(leftNs, stepNs));
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Writes what is in the ring. A thread that logs while it has the turn does not take it again.
   *
   * @param waitNs how long to wait at most while another thread has the turn
   * @return whether it had the turn and took events
   */
  private boolean takeTurn(long waitNs) {
    if (encoder == null || needsFlusher || turn.isHeldByCurrentThread() || !lockWithin(waitNs)) {
      return false;
    }
    try {
      return !needsFlusher && !flusher.isCancelled() && write();
    } finally {
      turn.unlock();
    }
  }

  private boolean lockWithin(long waitNs) {
    for (int spins = 0; spins < (waitNs > 0 ? SPINS : 1); spins++) {
      if (turn.tryLock()) {
        return true;
      }
      Thread.onSpinWait();
    }
    return waitNs > 0 && queueFor(waitNs);
  }

  private boolean queueFor(long waitNs) {
    try {
      return turn.tryLock(waitNs, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean write() {
    long endNs = clock.nanoTime() + MAX_TURN_NS;
    int taken = 0;
    boolean more = true;
    while (more && flusher.takeForCall()) {
      taken++;
      more = taken < EventSink.MAX_TURN && clock.nanoTime() - endNs < 0;
    }
    takenByCalls += taken;
    needsFlusher = more && flusher.isNextForFlusher();
    boolean isLeft = taken == 0 && needsFlusher; // a write has failed, and may fail again
    if (!isLeft && sink.writeForCall() && sink.survivesKill()) {
      confirmed = flusher.handled();
    }
    return taken > 0;
  }

  /**
   * Whether log calls may encode or wait, and the flusher empties the ring. Not while it stands
   * still: then bytes would not help, and what holds it up, a hanging encoder for example, must not
   * hold up log calls too. Any thread.
   */
  boolean helps() {
    return callsMayWait && !flusher.isStalled() && (hasJustMoved() || lookForMoves(progress()));
  }

  /**
   * The bytes of an event of this thread; null if there is no encoder for calls, or it throws here,
   * which leaves the event to the flusher's thread. Any thread.
   */
  byte @Nullable [] encode(ILoggingEvent event) {
    if (encoder == null) {
      return null;
    }
    try {
      byte[] bytes = encoder.encode(event);
      return bytes == null ? NOTHING : bytes;
    } catch (Throwable t) { // foreign code, at the end of a stack that may be almost full
      return null;
    }
  }

  /** Most calls stop here, and so do not read a field that each write changes. */
  private boolean hasJustMoved() {
    return seenProgress >= 0 && clock.nanoTime() - movedNs < LOOK_NS;
  }

  /** A value that changes with each write. */
  private long progress() {
    return confirmed + flusher.flushed();
  }

  /** Looks whether something was written to the spool lately. Any thread. */
  boolean lookForMoves(long progress) {
    long nowNs = clock.nanoTime();
    long gapNs = nowNs - lookedNs.getAndSet(nowNs); // so each gap counts once
    if (progress == seenProgress) {
      return stillNs.addAndGet(Math.min(gapNs, TimeLimit.MAX_GAP_NS)) < STILL_NS;
    }
    stillNs.set(0);
    movedNs = nowNs; // first: a thread may lose its processor between the two
    seenProgress = progress;
    return true;
  }

  @Override
  public int doWork() {
    lockForFlusher();
    try {
      needsFlusher = false;
      int work = takenByCalls + flusher.doWork();
      takenByCalls = 0;
      noteWritten();
      return work;
    } finally {
      turn.unlock();
      warn();
    }
  }

  /** The flusher's thread has met an Error. */
  @Override
  public void accept(Throwable thrown) {
    voice.warn("The flusher failed", thrown);
  }

  @Override
  public long sleepNs(long nowNs) {
    lockForFlusher();
    try {
      return flusher.sleepNs(nowNs);
    } finally {
      turn.unlock();
    }
  }

  @Override
  public boolean finish() {
    lockForFlusher();
    try {
      needsFlusher = false;
      boolean isDone = flusher.finish();
      noteWritten();
      return isDone;
    } finally {
      turn.unlock();
    }
  }

  @Override
  public void onClose() {
    lockForFlusher();
    try {
      flusher.onClose();
    } finally {
      turn.unlock();
      warn();
    }
  }

  /** Takes the lock ahead of queueing calls, if possible. This thread cannot be interrupted. */
  private void lockForFlusher() {
    while (!turn.tryLock() && !queueFor(QUEUE_NS)) {
      Thread.onSpinWait(); // tries in front of the queue again
    }
  }

  private void noteWritten() {
    if (sink.isSettled()) {
      confirmed = flusher.handled();
    }
  }

  private void warn() {
    long unconfirmed = ledger.unconfirmed() - unconfirmedBefore;
    if (!warned && unconfirmed > 0 && durability != null) {
      warned = true;
      voice.warn(
          "log calls return before their events are in the spool, %d so far: <durabilityTimeout> %d ms was over, or the spool is full or in the heap; a kill may lose such events; counted as unconfirmed"
              .formatted(unconfirmed, durability.timeoutNs() / 1_000_000));
    }
  }
}
