package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import dev.forebay.pipeline.RingSlots.Parcel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The bounded queue between logging threads and the flusher. Its slots bound the events, a budget
 * bounds their bytes.
 *
 * <p>Bytes: half of the budget is spread over the slots, so an event no heavier than its slot's
 * share costs no atomic operation. A heavier one reserves its weight from the other half. The
 * reservation travels with the event, so exactly what was reserved is released, even if the event
 * changes in the meantime.
 *
 * <p>{@link #poll} belongs to the flusher. When {@code stop()} times out, the stopping thread takes
 * out the rest by {@link #abandon}. The lock lets only one of them poll at a time.
 *
 * <p>Race with stop: a caller that saw an open pipeline may offer after the last poll. The producer
 * index counts its event as accepted, so it is in flight until {@link #settleStragglers} counts it
 * as abandoned. Every snapshot calls that, and so does a caller that finds the pipeline closed
 * after its offer: the only log call that takes the lock.
 *
 * <p>Holes: if an Error strikes between a caller's claim of a slot and its filling, the queue never
 * returns what follows. Then {@link #skipHole} installs another queue and takes what the old one
 * holds. Nothing leaves the old one otherwise, so no slot is used twice. If a caller was only slow
 * and fills its slot afterwards, its event has already been counted as lost.
 */
final class EventRing implements Ledger.Intake {

  /** How often to look at slots that calls may still fill. */
  private static final int LAST_LOOKS = 50;

  /** Fills the free slots of a queue that must not be used any more. */
  private static final Object FILLER = new Object();

  /** Events, alone or in a {@link Parcel}. Written with consumer held; read by any thread. */
  private volatile RingSlots queue;

  /** Whether there was another queue before; set before that is replaced. */
  private volatile boolean replaced;

  private final int capacity;
  private final Ledger ledger;
  private final long slotBytes;
  private final long reservableBytes;
  private final ReentrantLock consumer = new ReentrantLock();

  /** Set by callers that were refused, cleared by the flusher when the ring is empty. */
  private final AtomicInteger crowded = new AtomicInteger(); // as in WakeSignal

  /** Guarded by consumer. Once true, nothing more goes to the flusher. */
  private boolean abandoned;

  /** Guarded by consumer. Once true, later events no longer count as accepted. */
  private boolean retired;

  /** Guarded by consumer. Events accepted by queues that were replaced. */
  private long acceptedBefore;

  /** Guarded by consumer. Events found past a hole, which come before those of the queue. */
  private Deque<Object> rescued = new ArrayDeque<>(1);

  /** Reserved by the event that the flusher is processing. Flusher only, like the next. */
  private long heldBytes;

  private byte @Nullable [] encoded;

  /**
   * @param capacity a power of two
   * @param budgetBytes limit on the total weight of the events in the ring
   */
  EventRing(int capacity, long budgetBytes, Ledger ledger) {
    this.capacity = capacity;
    this.queue = new RingSlots(2 * capacity, 0);
    this.ledger = ledger;
    this.slotBytes = budgetBytes / 2 / capacity;
    this.reservableBytes = budgetBytes - slotBytes * capacity;
  }

  /**
   * Adds an event unless the ring is filled to {@code limit}, in slots or, for a heavy event, in
   * bytes. Any thread; lock-free.
   *
   * @param weightBytes weight according to {@link EventWeight}
   */
  boolean offer(ILoggingEvent event, long weightBytes, int limit) {
    return offer(event, null, weightBytes, limit);
  }

  /** As the other, with the bytes if the log call has encoded the event: the weight is of both. */
  boolean offer(ILoggingEvent event, byte @Nullable [] bytes, long weightBytes, int limit) {
    return offer(event, bytes, weightBytes <= slotBytes ? 0 : weightBytes, limit, limit);
  }

  /** Offers to the reserve of as many slots again, where each event reserves its weight. */
  boolean offerToReserve(
      ILoggingEvent event, byte @Nullable [] bytes, long weightBytes, int limit) {
    return offer(event, bytes, weightBytes, limit, limit + capacity);
  }

  private boolean offer(
      ILoggingEvent event, byte @Nullable [] bytes, long reservedBytes, int limit, int slots) {
    // Allocates before what would need to be undone.
    Object slot =
        bytes == null && reservedBytes == 0 ? event : new Parcel(event, bytes, reservedBytes);
    RingSlots refuses;
    do { // again if a hole has just been skipped
      refuses = queue;
      if (put(refuses, slot, reservedBytes, limit, slots)) {
        return true;
      }
    } while (refuses != queue);
    return false;
  }

  private boolean put(RingSlots into, Object slot, long reservedBytes, int limit, int slots) {
    if (reservedBytes == 0) {
      return into.offerIfBelowThreshold(slot, slots);
    }
    if (!reserve(into, reservedBytes, limit)) {
      return false;
    }
    boolean taken = false;
    try {
      taken = into.offerIfBelowThreshold(slot, slots);
    } finally {
      if (!taken) {
        into.reservedBytes.addAndGet(-reservedBytes);
      }
    }
    return taken;
  }

  /** Never overshoots, not even briefly: that could refuse another caller. */
  private boolean reserve(RingSlots of, long bytes, int limit) {
    long before = of.reservedBytes.getOpaque();
    while (fits(before, bytes, limit)) {
      long witness = of.reservedBytes.compareAndExchange(before, before + bytes);
      if (witness == before) {
        return true;
      }
      before = witness;
    }
    return false;
  }

  /**
   * A level has the same share of the bytes as of the slots. An event that is alone may exceed it.
   */
  private boolean fits(long reserved, long bytes, int limit) {
    long share = reserved == 0 ? reservableBytes : reservableBytes * limit / capacity;
    return reserved + bytes <= share;
  }

  /**
   * Whether the ring is filled to {@code limit}, so that an event need not be formatted. One read,
   * until a call was refused.
   */
  boolean isFullTo(int limit) {
    return crowded.getOpaque() == 1 && queue.size() >= limit;
  }

  /** Makes {@link #isFullTo} compare. */
  void noteRefusal() {
    if (crowded.getOpaque() == 0) {
      crowded.setOpaque(1);
    }
  }

  /** Whether too few bytes are left now for an event of this weight, whatever its level. */
  boolean lacksBytes(long weightBytes) {
    return weightBytes > slotBytes
        && queue.reservedBytes.getOpaque() + weightBytes > reservableBytes;
  }

  /** Whether an event of this weight can never enter. */
  boolean canNeverHold(long weightBytes) {
    return weightBytes > slotBytes && weightBytes > reservableBytes;
  }

  /** Takes the oldest event; null if there is none, and after abandon. Flusher only. */
  @Nullable ILoggingEvent poll() {
    consumer.lock();
    try {
      Object slot = abandoned ? null : next();
      if (slot == null && crowded.getOpaque() == 1) {
        crowded.setOpaque(0);
      }
      if (slot instanceof Parcel parcel) {
        heldBytes = parcel.reservedBytes();
        encoded = parcel.bytes();
      }
      return eventOf(slot);
    } finally {
      consumer.unlock();
    }
  }

  /** The last polled event's bytes, if its log call has encoded them; else null. Flusher only. */
  byte @Nullable [] encoded() {
    return encoded;
  }

  /** As {@link #poll}, for an event that {@link #isNextForCall}. */
  @Nullable ILoggingEvent pollForCall(EventSink sink) {
    consumer.lock();
    try {
      return isNextForCall(sink, false) ? poll() : null;
    } finally {
      consumer.unlock();
    }
  }

  /**
   * Whether the next event is encoded, and the sink is ready to get it from a log call. Flusher
   * only.
   *
   * @param ifEmpty the answer if there is none and the sink is ready
   */
  boolean isNextForCall(EventSink sink, boolean ifEmpty) {
    consumer.lock();
    try {
      Object slot = rescued.isEmpty() ? queue.relaxedPeek() : rescued.peek();
      byte[] bytes = slot instanceof Parcel parcel ? parcel.bytes() : null;
      boolean isWanted = slot == null ? ifEmpty : bytes != null;
      return isWanted && sink.isReadyForCall(bytes == null ? 0 : bytes.length);
    } finally {
      consumer.unlock();
    }
  }

  private @Nullable Object next() {
    Object slot = rescued.poll();
    return slot == null ? queue.relaxedPoll() : slot;
  }

  private static @Nullable ILoggingEvent eventOf(@Nullable Object slot) {
    return slot instanceof Parcel parcel ? parcel.event() : (ILoggingEvent) slot;
  }

  /**
   * Releases the bytes of the last polled event. Flusher only. Writes only if need be: log calls
   * read the fields beside these.
   */
  void release() {
    if (encoded != null) {
      encoded = null;
    }
    if (heldBytes > 0) {
      queue.reservedBytes.addAndGet(-heldBytes);
      heldBytes = 0;
    }
  }

  /** Ends the flusher's part: events in the ring, now or later, are dropped and counted. */
  void abandon() {
    consumer.lock();
    try {
      abandoned = true;
      settleStragglers();
    } finally {
      consumer.unlock();
    }
  }

  @Override
  public void settleStragglers() {
    consumer.lock();
    try {
      if (!abandoned) {
        return;
      }
      ILoggingEvent event = eventOf(next());
      while (event != null) {
        ledger.drop(retired ? DropReason.STOPPED : DropReason.ABANDONED, event);
        event = eventOf(next());
      }
    } finally {
      consumer.unlock();
    }
  }

  /**
   * Takes what the queue holds past slots that stay empty, and counts those as lost. {@link #poll}
   * then returns the rest in order.
   *
   * @param pause run at most {@link #LAST_LOOKS} times, while calls that took a slot lately fill it
   * @return events lost
   */
  int skipHole(long timeMs, Runnable pause) {
    consumer.lock();
    try { // allocations first; an Error after them must leave the account right
      RingSlots old = queue;
      long charged = old.reservedBytes.getOpaque();
      RingSlots fresh = new RingSlots(old.capacity(), charged);
      Deque<Object> found = new ArrayDeque<>(rescued.size() + old.capacity());
      found.addAll(rescued);
      rescued = found;
      replaced = true; // before any caller can find the next one
      queue = fresh;
      int fillers = 0;
      while (old.offer(FILLER)) {
        fillers++;
      }
      acceptedBefore += old.currentProducerIndex() - fillers;
      for (int look = 0; look < LAST_LOOKS && old.hasHole(); look++) {
        pause.run();
      }
      return rescue(old, fresh, fillers, charged, timeMs);
    } finally {
      consumer.unlock();
    }
  }

  private int rescue(RingSlots old, RingSlots fresh, int fillers, long charged, long timeMs) {
    int lost = old.size() - fillers;
    long foundBytes = 0;
    try {
      for (Object slot : old) {
        if (slot != FILLER) {
          rescued.add(slot);
          lost--;
          foundBytes += slot instanceof Parcel parcel ? parcel.reservedBytes() : 0;
        }
      }
    } finally {
      fresh.reservedBytes.addAndGet(foundBytes - charged); // lost events release nothing
      // Their level is unknown: a loss must not look smaller than it may be.
      ledger.drop(DropReason.OFFER_FAILED, Levels.COUNT - 1, lost, timeMs);
    }
    return lost;
  }

  @Override
  public long retire() {
    consumer.lock();
    try {
      settleStragglers();
      long taken = queue.currentConsumerIndex();
      if (!abandoned || taken != queue.currentProducerIndex()) {
        return -1;
      }
      retired = true;
      return acceptedBefore + taken;
    } finally {
      consumer.unlock();
    }
  }

  @Override
  public long accepted() {
    consumer.lock();
    try {
      return acceptedBefore + queue.currentProducerIndex();
    } finally {
      consumer.unlock();
    }
  }

  /** The number of accepted events up to the one that this thread has just offered, or more. */
  long acceptedForCall() {
    long claimed = queue.currentProducerIndex(); // first: fillers count too, once it is replaced
    return replaced ? accepted() : claimed;
  }

  /** RingSlots in use, for log calls. */
  int size() {
    return queue.size();
  }

  /** Events in the ring. Not for log calls. */
  int fill() {
    consumer.lock();
    try {
      return queue.size() + rescued.size();
    } finally {
      consumer.unlock();
    }
  }

  /** The consumer index: it does not change while {@link #poll} returns nothing. */
  long position() {
    return queue.currentConsumerIndex();
  }

  int capacity() {
    return capacity;
  }
}
