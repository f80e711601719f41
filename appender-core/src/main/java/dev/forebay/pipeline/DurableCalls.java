package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.Ledger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets a log call return only when its event is in the spool. The event goes through the ring like
 * any other; then the call takes the flusher's turn and writes all events up to its own, or waits
 * until another call or the flusher's thread has written them.
 *
 * <p>The lock {@code turn} guards what otherwise belongs to the flusher's thread: the fields of
 * {@link Flusher}, of the sink and of all they own. The flusher's thread holds it in each of its
 * turns. A call waits for it only until the timeout, so neither an encoder that hangs nor another
 * appender's log call inside an encoder can stop it for longer.
 *
 * <p>A call encodes, puts records into the open segment and writes them. All else that may wait,
 * report or call foreign code is left to the flusher's thread: opening segments, moving the spool,
 * reports of drops, waking the shipper.
 */
final class DurableCalls implements Agent {

  /** Tries at the lock before the flusher's thread queues for it. */
  private static final int SPINS = 200;

  /**
   * How long a call tries to get the turn before it parks, nanoseconds: a park takes twice as long.
   * It never yields its processor, which may return after some milliseconds.
   */
  private static final long SPIN_NS = 30_000;

  private static final long PARK_NS = 50_000;

  private final CallDurability durability;
  private final ReplaceableRing rings;
  private final Flusher flusher;
  private final EventSink sink;
  private final Ledger ledger;
  private final NanoClock clock;
  private final BiConsumer<String, @Nullable Throwable> warnings;

  /** Whether the encoder bears the threads that log; otherwise calls only wait. */
  private final boolean callsTakeTurns;

  private final ReentrantLock turn = new ReentrantLock();

  /** Events of this start that are in the spool or counted as dropped. Guarded by turn. */
  private volatile long confirmed;

  /** Guarded by turn. Events that calls have taken since the flusher's last turn. */
  private int takenByCalls;

  /** Those of earlier starts, which were warned of then. */
  private final long unconfirmedBefore;

  /** Flusher's thread only. */
  private boolean warned;

  DurableCalls(
      CallDurability durability,
      ReplaceableRing rings,
      Flusher flusher,
      EventSink sink,
      Ledger ledger,
      NanoClock clock,
      BiConsumer<String, @Nullable Throwable> warnings) {
    this.durability = durability;
    this.rings = rings;
    this.flusher = flusher;
    this.sink = sink;
    this.ledger = ledger;
    this.clock = clock;
    this.warnings = warnings;
    this.callsTakeTurns = sink.callerEncoder() != null;
    this.unconfirmedBefore = ledger.unconfirmed();
  }

  /** Whether a call must be confirmed. May throw what a foreign marker throws. */
  boolean include(ILoggingEvent event, int level) {
    return durability.includes(event, level);
  }

  /**
   * Returns when the event that this thread has just put into the ring is in the spool; otherwise
   * counts the call as unconfirmed. The event stays in the ring then, and in order.
   */
  void confirm(AgentThread flusherThread) {
    boolean isConfirmed = false;
    try {
      if (flusherThread.sleepFlag().isUp()) { // read after the offer, as in Admission
        flusherThread.wake();
      }
      isConfirmed = await(rings.acceptedForCall(), flusherThread);
    } catch (Throwable t) { // no stack or heap left; what the turn had in hand is the next turn's
      flusherThread.wake();
    }
    if (!isConfirmed) {
      ledger.addUnconfirmed();
    }
  }

  private boolean await(long target, AgentThread flusherThread) {
    long startNs = clock.nanoTime();
    long deadlineNs = startNs + durability.timeoutNs();
    boolean interrupted = false;
    try {
      while (confirmed < target) {
        boolean tookTurn = callsTakeTurns && takeTurn(target, deadlineNs);
        if (confirmed >= target) {
          return true;
        }
        if (!tookTurn && callsTakeTurns && clock.nanoTime() - startNs < SPIN_NS) {
          Thread.onSpinWait();
          continue;
        }
        if (flusher.isStalled() || !sink.survivesKill()) {
          return false; // until a disk returns, or longer
        }
        if (clock.nanoTime() - deadlineNs >= 0) {
          return confirmed >= target;
        }
        if (tookTurn || !callsTakeTurns) { // the flusher's thread has to do something
          flusherThread.wake();
        }
        LockSupport.parkNanos(this, PARK_NS);
        interrupted |= Thread.interrupted(); // else no park would wait
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Writes the events up to {@code target}, unless another thread is at it. The flusher's thread
   * goes first when it waits for its turn, so that calls cannot starve it. A thread that logs while
   * it has the turn does not take it again.
   *
   * @return whether the call had the turn
   */
  private boolean takeTurn(long target, long deadlineNs) {
    if (turn.isHeldByCurrentThread() || turn.hasQueuedThreads() || !turn.tryLock()) {
      return false;
    }
    try {
      boolean more = true;
      while (more && flusher.handled() < target && flusher.takeForCall()) {
        takenByCalls++;
        more = clock.nanoTime() - deadlineNs < 0;
      }
      if (flusher.writeForCall()) {
        confirmed = flusher.handled();
      }
    } finally {
      turn.unlock();
    }
    return true;
  }

  @Override
  public int doWork() {
    lockTurn();
    try {
      int work = takenByCalls + flusher.doWork();
      takenByCalls = 0;
      noteWritten();
      return work;
    } finally {
      turn.unlock();
      warn();
    }
  }

  @Override
  public long sleepNs(long nowNs) {
    lockTurn();
    try {
      return flusher.sleepNs(nowNs);
    } finally {
      turn.unlock();
    }
  }

  @Override
  public boolean finish() {
    lockTurn();
    try {
      boolean isDone = flusher.finish();
      noteWritten();
      return isDone;
    } finally {
      turn.unlock();
    }
  }

  @Override
  public void onClose() {
    lockTurn();
    try {
      flusher.onClose();
    } finally {
      turn.unlock();
      warn();
    }
  }

  private void noteWritten() {
    if (sink.isSettled()) {
      confirmed = flusher.handled();
    }
  }

  /** Calls hold the lock for about a microsecond: a thread in its queue would hold them up. */
  private void lockTurn() {
    for (int spins = 0; spins < SPINS; spins++) {
      if (turn.tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    turn.lock();
  }

  private void warn() {
    long unconfirmed = ledger.unconfirmed() - unconfirmedBefore;
    if (!warned && unconfirmed > 0) {
      warned = true;
      warnings.accept(
          "log calls return before their events are in the spool, %d so far: <durabilityTimeout> %d ms was over, or the spool is full or in the heap; a kill may lose such events; counted as unconfirmed"
              .formatted(unconfirmed, durability.timeoutNs() / 1_000_000),
          null);
    }
  }
}
