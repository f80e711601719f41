package dev.forebay.observe;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The account of one appender: {@code offered = delivered + dropped + expired + held + in flight}.
 * Only a flight recorder holds events or lets them expire.
 *
 * <p>Accepted events need no counter: the ring's producer index counts them. Counters only grow,
 * across restarts too. {@link #snapshot} reads what left the ring before what entered it, so the
 * equation holds exactly in every snapshot, whatever other threads do in the meantime.
 */
public final class Ledger {

  /** Rings of earlier starts that may still get late events; older ones are reduced to a number. */
  private static final int REMEMBERED_RINGS = 4;

  /** A ring, as the ledger sees it. */
  public interface Intake {

    /** Events accepted since the ring was created. */
    long accepted();

    /**
     * After the last drain, counts events that slow callers added later as {@link
     * DropReason#ABANDONED}. Does nothing before.
     */
    void settleStragglers();

    /**
     * Like {@link #settleStragglers}, for the last time: after this, slow callers count their own
     * late events as refused.
     *
     * @return events accepted, without still later ones; negative if not known yet, because the
     *     ring still runs or a caller is adding an event
     */
    long retire();
  }

  private static final int REASONS = DropReason.values().length;

  private final DropTrace[] drops = new DropTrace[REASONS * Levels.COUNT];
  private final DropCursor inLog = new DropCursor(this, false);
  private final DropCursor forListeners = new DropCursor(this, true);
  private final LongAdder delivered = new LongAdder();
  private final LongAdder reports = new LongAdder();
  private final LongAdder recorded = new LongAdder();
  private final LongAdder expired = new LongAdder();

  /** No adder: that allocates, and these calls may have met an Error. */
  private final AtomicLong unconfirmed = new AtomicLong();

  /** Set by each start; run by whoever drops an event. */
  private volatile @Nullable Runnable onDrop;

  /** Guarded by this. */
  private final List<Intake> intakes = new ArrayList<>();

  /** Guarded by this. Accepted by rings no longer remembered. */
  private long acceptedBefore;

  /** Creates an empty account. */
  public Ledger() {
    for (int i = 0; i < drops.length; i++) {
      drops[i] = new DropTrace();
    }
  }

  /**
   * Sets what to run after each drop, in place of the last. It must neither block nor allocate, and
   * sees the drop in every cursor.
   */
  public void onDrop(Runnable action) {
    onDrop = action;
  }

  /** Adds the ring of a new start. */
  public synchronized void addIntake(Intake intake) {
    intakes.add(intake);
    if (intakes.size() > REMEMBERED_RINGS) {
      long accepted = intakes.get(0).retire();
      if (accepted >= 0) {
        acceptedBefore += accepted;
        intakes.remove(0);
      }
    }
  }

  /** For the report in the log itself; the flusher's thread only. */
  public DropCursor dropsInLog() {
    return inLog;
  }

  /** For the failure listeners; the reporter's thread only. */
  public DropCursor dropsForListeners() {
    return forListeners;
  }

  /** Counts a dropped event. Any thread; neither blocks nor allocates. */
  public void drop(DropReason reason, ILoggingEvent event) {
    trace(reason, Levels.indexOf(event)).record(event);
    dropped();
  }

  /**
   * Counts dropped events of which only the level is known.
   *
   * @param reason why
   * @param levelIndex as {@link Levels} counts
   * @param events how many
   * @param timeMs when, milliseconds since the epoch
   */
  public void drop(DropReason reason, int levelIndex, long events, long timeMs) {
    if (events > 0) {
      trace(reason, levelIndex).record(events, timeMs);
      dropped();
    }
  }

  /**
   * A reader that is about to sleep raises a flag, then looks at the counts. Counting is no full
   * fence, and without one the flag could be read first.
   */
  private void dropped() {
    VarHandle.fullFence();
    Runnable action = onDrop;
    if (action != null) {
      action.run();
    }
  }

  /** Counts events that reached their destination. */
  public void deliver(long events) {
    delivered.add(events);
  }

  /** Counts an event that a flight recorder holds, and that goes nowhere else. */
  public void record() {
    recorded.increment();
  }

  /** Counts recorded events that the recorder holds no longer. */
  public void expire(long events) {
    expired.add(events);
  }

  /** Counts one event that the appender itself added to report drops: offered and accepted. */
  public void addReport() {
    reports.increment();
  }

  /** Counts a log call that returned although its accepted event may be lost by a kill. */
  public void addUnconfirmed() {
    unconfirmed.incrementAndGet();
  }

  /** Such calls so far. */
  public long unconfirmed() {
    return unconfirmed.get();
  }

  /** The account at this moment. Takes a lock; not for log calls. */
  public synchronized LedgerSnapshot snapshot() {
    for (Intake intake : intakes) {
      intake.settleStragglers();
    }
    long expiredNow = expired.sum();
    long recordedNow = recorded.sum();
    long deliveredNow = delivered.sum();
    long[] dropped = new long[drops.length];
    long droppedInside = 0;
    for (DropReason reason : DropReason.values()) {
      if (!reason.isRefusal()) {
        droppedInside += copyCounts(reason, dropped);
      }
    }
    long reported = reports.sum();
    long accepted = acceptedBefore + reported;
    for (Intake intake : intakes) {
      accepted += intake.accepted();
    }
    long refused = 0;
    for (DropReason reason : DropReason.values()) {
      if (reason.isRefusal()) {
        refused += copyCounts(reason, dropped);
      }
    }
    return new LedgerSnapshot(
        accepted + refused,
        deliveredNow,
        expiredNow,
        recordedNow - expiredNow,
        accepted - deliveredNow - recordedNow - droppedInside,
        reported,
        unconfirmed.get(),
        dropped,
        OptionalLong.empty());
  }

  private long copyCounts(DropReason reason, long[] into) {
    long sum = 0;
    for (int level = 0; level < Levels.COUNT; level++) {
      int slot = reason.ordinal() * Levels.COUNT + level;
      into[slot] = drops[slot].count();
      sum += into[slot];
    }
    return sum;
  }

  DropTrace trace(DropReason reason, int levelIndex) {
    return drops[reason.ordinal() * Levels.COUNT + levelIndex];
  }
}
