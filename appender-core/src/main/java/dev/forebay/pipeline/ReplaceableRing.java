package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.Ledger;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ring of a pipeline, replaced by another when one of its slots stays empty.
 *
 * <p>An Error in a log call, such as a StackOverflowError, can leave a slot claimed but not filled.
 * The flusher then sees a ring that is not empty but never returns an event. A caller that was
 * preempted there looks the same for a while. So the flusher waits, installs a new ring, closes the
 * old one, waits again, and takes the events after the hole. Only slots that are still empty then
 * count as lost. If all callers were only slow, nothing is lost.
 *
 * <p>Callers read {@link #current} before each attempt. One that the closed ring refuses finds the
 * new ring, which was installed first.
 */
final class ReplaceableRing {

  /**
   * How many checks must find a slot empty before it counts as a hole, and again before it counts
   * as lost.
   */
  static final int MIN_LOOKS = 5;

  /** How long a slot must stay empty before the ring is replaced, nanoseconds. */
  static final long HOLE_NS = 100_000_000;

  /**
   * How long after that slots that are still empty count as lost, nanoseconds: a caller may be
   * without a processor for half a second among hundreds of threads, but a stop with the default
   * {@code maxFlushTime} must still be able to deliver what follows.
   */
  static final long LOST_NS = 650_000_000;

  private final Supplier<EventRing> rings;
  private final Ledger ledger;
  private final NanoClock clock;
  private final LongSupplier wallClockMs;
  private final BiConsumer<String, @Nullable Throwable> warnings;

  /** Written by the flusher, guarded by this; read by log calls. */
  private volatile EventRing current;

  /** The first ring, while there is no other. Written by the flusher; read by log calls. */
  private volatile @Nullable EventRing only;

  /** The ring that the flusher drains. Written by the flusher, guarded by this. */
  private EventRing drained;

  /** Guarded by this. Events accepted by drained rings. */
  private long acceptedBefore;

  /** Guarded by this. Set by the thread that stops the appender. */
  private boolean abandoned;

  /** Flusher only, like the next two. The position at which poll returns nothing, or -1. */
  private long stuckAt = -1;

  private long stuckSinceNs;
  private int looks;

  /**
   * @param rings creates identical rings
   * @param ledger the account they belong to
   * @param warnings receives the number of lost events
   */
  ReplaceableRing(
      Supplier<EventRing> rings,
      Ledger ledger,
      NanoClock clock,
      LongSupplier wallClockMs,
      BiConsumer<String, @Nullable Throwable> warnings) {
    this.rings = rings;
    this.ledger = ledger;
    this.clock = clock;
    this.wallClockMs = wallClockMs;
    this.warnings = warnings;
    this.current = rings.get();
    this.drained = current;
    this.only = current;
  }

  /** Adds the first ring to the account. Call once, before the first offer. */
  void start() {
    ledger.addIntake(current);
  }

  /** The ring to offer events to. Any thread; read it again after a refusal. */
  EventRing current() {
    return current;
  }

  /** Takes the oldest event. The flusher only. */
  @Nullable ILoggingEvent poll() {
    ILoggingEvent event = drained.poll();
    if (event == null && drained != current && drained.isSpent()) {
      moveOn();
      event = drained.poll();
    }
    return event;
  }

  private void moveOn() {
    EventRing spent = drained;
    synchronized (this) {
      acceptedBefore += spent.accepted();
      drained = current;
    }
    stuckAt = -1;
    ledger.dismiss(spent);
  }

  /** As {@link EventRing#encoded}. The flusher only. */
  byte @Nullable [] encoded() {
    return drained.encoded();
  }

  /** As {@link EventRing#release}. The flusher only. */
  void release() {
    drained.release();
  }

  /**
   * Looks for a hole. Flusher only, after {@link #poll} returned nothing.
   *
   * @return events found lost, now counted as dropped
   */
  int lookForHole() {
    long position = drained.position();
    if (drained.size() == 0) {
      stuckAt = -1;
      return 0;
    }
    if (position != stuckAt) {
      stuckAt = position;
      startWait();
      return 0;
    }
    looks++;
    long waitedNs = clock.nanoTime() - stuckSinceNs;
    if (drained != current) {
      return salvage(looks >= MIN_LOOKS && waitedNs >= LOST_NS);
    }
    if (looks >= MIN_LOOKS && waitedNs >= HOLE_NS) {
      replace();
    }
    return 0;
  }

  /**
   * Whether there is neither an event nor a hole, nor a ring that is being replaced. Flusher only.
   */
  boolean isEmpty() {
    return drained == current && current.size() == 0;
  }

  private void startWait() {
    stuckSinceNs = clock.nanoTime();
    looks = 0;
  }

  private void replace() {
    EventRing fresh = rings.get();
    synchronized (this) {
      if (abandoned) {
        return;
      }
      ledger.addIntake(fresh);
      only = null; // before any caller can find the next ring
      current = fresh;
    }
    drained.close();
    startWait();
  }

  private int salvage(boolean isLastLook) {
    int lost = drained.salvage(isLastLook, wallClockMs.getAsLong());
    if (lost > 0) {
      warn(lost);
    }
    return Math.max(0, lost);
  }

  private void warn(int lost) {
    warnings.accept(
        lost
            + (lost == 1 ? " log call" : " log calls")
            + " did not finish putting an event into the ring: ended by an Error, such as a"
            + " StackOverflowError, or without a processor for "
            + (HOLE_NS + LOST_NS) / 1_000_000
            + " ms. The events are lost; logging continues with a new ring.",
        null);
  }

  /** Ends the flusher's part, as {@link EventRing#abandon}. The thread that stops the appender. */
  synchronized void abandon() {
    abandoned = true;
    drained.abandon();
    current.abandon();
  }

  /**
   * As {@link EventRing#settleStragglers}, for a caller that finds the pipeline closed after its
   * offer: the only log calls that take this lock.
   */
  synchronized void settleStragglers() {
    drained.settleStragglers();
    current.settleStragglers();
  }

  /** Counts events that have not arrived after {@link #abandon} as lost. */
  synchronized void writeOff() {
    writeOff(drained);
    if (current != drained) {
      writeOff(current);
    }
  }

  private void writeOff(EventRing ring) {
    if (ring.fill() > 0) {
      ring.close();
      int lost = ring.salvage(true, wallClockMs.getAsLong());
      ring.settleStragglers();
      ledger.dismiss(ring);
      if (lost > 0) {
        warn(lost);
      }
    }
  }

  /** Events accepted so far. Any thread except one that logs. */
  synchronized long accepted() {
    return acceptedBefore + drained.accepted() + (current == drained ? 0 : current.accepted());
  }

  /**
   * At least as many events as were accepted up to the one that this thread has just offered. Takes
   * no lock, unless a ring was replaced.
   */
  long acceptedForCall() {
    EventRing ring = only;
    return ring == null ? accepted() : ring.claimed();
  }

  /** Events in the rings now. Any thread except one that logs. */
  synchronized int fill() {
    return drained.fill() + (current == drained ? 0 : current.fill());
  }
}
