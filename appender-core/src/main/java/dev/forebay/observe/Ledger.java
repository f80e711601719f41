package dev.forebay.observe;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The account of one appender: {@code offered = delivered + dropped + expired + held + in flight}.
 * Only a flight recorder holds events or lets them expire.
 *
 * <p>Accepted events need no counter: the ring's producer index counts them. Counters only grow,
 * across restarts too. {@link #snapshot} reads what left the ring before what entered it, so the
 * equation holds exactly in every snapshot, whatever other threads do in the meantime.
 *
 * @hidden
 */
public final class Ledger {

  /** Rings of earlier starts that may still get late events; older ones are reduced to a number. */
  private static final int REMEMBERED_RINGS = 4;

  /**
   * A ring, as the ledger sees it.
   *
   * @hidden
   */
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

  /**
   * The drops of one reason and level: their number, first and last time and one sample.
   *
   * <p>Written by any number of logging threads. The number is exact. Times and sample are hints:
   * threads that drop at the same moment may overwrite each other's, so opaque access suffices.
   * Each of the two readers has its own first time, so that neither clears the other's.
   */
  static final class Trace {

    private final LongAdder count = new LongAdder();
    private final AtomicLong[] firstMs = {new AtomicLong(), new AtomicLong()};
    private final AtomicLong lastMs = new AtomicLong();
    private final AtomicReference<@Nullable ILoggingEvent> sample = new AtomicReference<>();

    /** Only for events that rate limits refuse; set before the first refusal. */
    private volatile @Nullable LoggerCounts loggers;

    void record(ILoggingEvent event) {
      record(1, event.getTimeStamp());
      if (sample.getOpaque() == null) {
        sample.setRelease(event);
      }
    }

    void record(long events, long timeMs) {
      lastMs.setOpaque(timeMs);
      for (AtomicLong first : firstMs) {
        if (first.getOpaque() == 0) {
          first.setOpaque(timeMs);
        }
      }
      count.add(events);
    }

    long count() {
      return count.sum();
    }

    long lastMs() {
      return lastMs.getOpaque();
    }

    /** Time of the first drop since the last call for this reader, milliseconds since the epoch. */
    long takeFirstMs(int reader) {
      long first = firstMs[reader].getAndSet(0);
      return first == 0 ? lastMs() : first;
    }

    @Nullable ILoggingEvent takeSample() {
      return sample.getAndSet(null);
    }

    /** Drops since the last call for this reader, by logger; read after the count. */
    Map<String, Long> takeLoggers(int reader) {
      LoggerCounts counts = loggers;
      return counts == null ? Map.of() : counts.advance(reader);
    }
  }

  private static final DropReason[] REASONS = DropReason.values();

  private final Trace[] drops = new Trace[REASONS.length * Levels.COUNT];
  private final DropCursor inLog = new DropCursor(this, false);
  private final DropCursor forListeners = new DropCursor(this, true);
  private final LongAdder delivered = new LongAdder();
  private final LongAdder reports = new LongAdder();
  private final LongAdder recorded = new LongAdder();
  private final LongAdder expired = new LongAdder();

  /** No adder: that allocates, and these calls may have met an Error. */
  private final AtomicLong unconfirmed = new AtomicLong();

  /** Set by each start; run by a thread that drops an event or sees an output fail or recover. */
  private volatile @Nullable Runnable onNews;

  /** Whether anything was ever dropped. Set after that is counted, by any thread. */
  private volatile boolean hasDropped;

  /** Guarded by this. */
  private final List<Intake> intakes = new ArrayList<>();

  /** Guarded by this. Accepted by rings no longer remembered. */
  private long acceptedBefore;

  public Ledger() {
    for (int i = 0; i < drops.length; i++) {
      drops[i] = new Trace();
    }
  }

  /**
   * Sets what to run after each drop, and when a watched output fails or recovers, in place of the
   * last. It must neither block nor allocate, and sees the drop in every cursor.
   */
  public void onNews(Runnable action) {
    onNews = action;
  }

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
    tellDrop();
  }

  /** Counts dropped events of which only the level is known, and when they were dropped. */
  public void drop(DropReason reason, int levelIndex, long events, long timeMs) {
    if (events > 0) {
      trace(reason, levelIndex).record(events, timeMs);
      tellDrop();
    }
  }

  private void tellDrop() {
    if (!hasDropped) { // else the cache line stays valid for others
      hasDropped = true;
    }
    tellNews();
  }

  /** Has {@link #limit} count by logger too, from now on. */
  public synchronized void countLimitedByLogger() {
    for (int level = 0; level < Levels.COUNT; level++) {
      Trace trace = trace(DropReason.LIMITED, level);
      if (trace.loggers == null) {
        trace.loggers = new LoggerCounts();
      }
    }
  }

  /**
   * Counts an event that a rate limit refused. Its logger is counted first, so a reader of the
   * number finds it. Any thread; does not block.
   */
  public void limit(int levelIndex, String logger, long timeMs) {
    LoggerCounts loggers = trace(DropReason.LIMITED, levelIndex).loggers;
    if (loggers != null) {
      loggers.add(logger);
    }
    drop(DropReason.LIMITED, levelIndex, 1, timeMs);
  }

  /**
   * A reader that is about to sleep raises a flag, then looks at the counts. Counting is no full
   * fence, and without one the flag could be read first.
   */
  void tellNews() {
    VarHandle.fullFence();
    Runnable action = onNews;
    if (action != null) {
      action.run();
    }
  }

  /** Whether anything was ever dropped. */
  boolean hasDropped() {
    return hasDropped;
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

  public long unconfirmed() {
    return unconfirmed.get();
  }

  /** The account at this moment. Takes a lock; not for log calls. */
  public LedgerSnapshot snapshot() {
    return snapshot(OptionalLong.empty());
  }

  /** The same with a watermark, which was read before it. */
  public synchronized LedgerSnapshot snapshot(OptionalLong durableUpTo) {
    for (Intake intake : intakes) {
      intake.settleStragglers();
    }
    long expiredNow = expired.sum();
    long recordedNow = recorded.sum();
    long deliveredNow = delivered.sum();
    Map<String, Map<String, Long>> dropped = new TreeMap<>();
    long droppedInside = addDrops(false, dropped);
    long reported = reports.sum();
    long accepted = acceptedBefore + reported;
    for (Intake intake : intakes) {
      accepted += intake.accepted();
    }
    long refused = addDrops(true, dropped);
    return new LedgerSnapshot(
        accepted + refused,
        deliveredNow,
        expiredNow,
        recordedNow - expiredNow,
        accepted - deliveredNow - recordedNow - droppedInside,
        reported,
        unconfirmed.get(),
        dropped,
        durableUpTo);
  }

  private long addDrops(boolean refusals, Map<String, Map<String, Long>> into) {
    long sum = 0;
    for (DropReason reason : REASONS) {
      for (int level = 0; reason.isRefusal() == refusals && level < Levels.COUNT; level++) {
        long count = trace(reason, level).count();
        sum += count;
        if (count > 0) {
          into.computeIfAbsent(reason.name(), r -> new TreeMap<>())
              .put(Levels.of(level).name(), count);
        }
      }
    }
    return sum;
  }

  Trace trace(DropReason reason, int levelIndex) {
    return drops[reason.ordinal() * Levels.COUNT + levelIndex];
  }
}
