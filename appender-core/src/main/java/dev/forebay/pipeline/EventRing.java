package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The bounded queue between the threads that log and the flusher. Bounded in events by its slots,
 * in bytes by a budget.
 *
 * <p>Bytes: half of the budget is spread over the slots, so an event no heavier than its slot's
 * share costs no atomic operation. Only a heavier one reserves its weight from the other half, and
 * travels with it: what was reserved is what is released, whatever becomes of the event meanwhile.
 *
 * <p>Taking out: {@link #poll} belongs to the flusher, but when {@code stop()} has waited long
 * enough, the stopping thread takes out the rest by {@link #abandon}. The lock makes sure that only
 * one of them polls at a time.
 *
 * <p>The race with stop: a caller that saw an open pipeline may offer after the last poll. Its
 * event then lies in the ring, counted by the producer index as accepted and so as in flight, until
 * {@link #settleStragglers} counts it as abandoned. Every snapshot calls that, and so does a caller
 * that finds the pipeline closed after its offer: the only caller to touch the lock.
 *
 * <p>The hole: a caller takes a slot and then fills it. If an Error strikes in between, the slot
 * stays empty, and the queue never gives out what stands behind it. Then {@link #close} fills all
 * free slots, so that no caller gets in any more, and {@link #salvage} reads what there is past the
 * hole. From the first to the last step nothing leaves the queue, so no slot is used twice: each of
 * them holds one event for good, or one filler, or is lost. A caller that was only slow and fills
 * its slot after the last look has an event that was counted as lost.
 */
final class EventRing implements Ledger.Intake {

  private static final VarHandle RESERVED;
  private static final VarHandle CROWDED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      RESERVED = lookup.findVarHandle(EventRing.class, "reservedBytes", long.class);
      CROWDED = lookup.findVarHandle(EventRing.class, "crowded", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Fills the free slots of a ring that is closed. */
  private static final Object FILLER = new Object();

  /** An event that has reserved bytes. */
  private record Heavy(ILoggingEvent event, long weightBytes) {}

  /** Events, and {@link Heavy} ones. */
  private final MpscVarHandleArrayQueue<Object> queue;

  private final Ledger ledger;
  private final long slotBytes;
  private final long reservableBytes;
  private final ReentrantLock consumer = new ReentrantLock();

  /** Added to by callers with heavy events, taken from by the consumer. */
  @SuppressWarnings("unused") // through RESERVED
  private long reservedBytes;

  /** Raised by callers that were refused, lowered by the flusher when the ring is empty. */
  @SuppressWarnings("unused") // through CROWDED
  private boolean crowded;

  /** Guarded by consumer. Once true, nothing more goes to the flusher. */
  private boolean abandoned;

  /** Guarded by consumer. Once true, what comes is no longer counted by the producer index. */
  private boolean retired;

  /** Guarded by consumer. Once true, nothing leaves the queue any more. */
  private boolean closed;

  /** Guarded by consumer. Slots of the closed ring that hold no event. */
  private int fillers;

  /** Guarded by consumer. What was found in the closed ring; null as long as slots are empty. */
  private @Nullable Deque<Object> salvaged;

  /** Reserved by the event in the flusher's hands; the flusher's own. */
  private long heldBytes;

  /**
   * @param capacity slots, a power of two
   * @param budgetBytes bound of the weight of all events in the ring together
   * @param ledger where abandoned events are counted
   */
  EventRing(int capacity, long budgetBytes, Ledger ledger) {
    this.queue = new MpscVarHandleArrayQueue<>(capacity);
    this.ledger = ledger;
    this.slotBytes = budgetBytes / 2 / capacity;
    this.reservableBytes = budgetBytes - slotBytes * capacity;
  }

  /**
   * Adds an event unless the ring is filled to {@code limit}, in slots or, for a heavy event, in
   * bytes. Any thread; lock-free.
   *
   * @param weightBytes what {@link EventWeight} says
   */
  boolean offer(ILoggingEvent event, long weightBytes, int limit) {
    if (weightBytes <= slotBytes) {
      return queue.offerIfBelowThreshold(event, limit);
    }
    Heavy heavy = new Heavy(event, weightBytes); // before anything that would have to be undone
    if (!reserve(weightBytes, limit)) {
      return false;
    }
    boolean taken = false;
    try {
      taken = queue.offerIfBelowThreshold(heavy, limit);
    } finally {
      if (!taken) {
        RESERVED.getAndAdd(this, -weightBytes);
      }
    }
    return taken;
  }

  /** Never takes more than there is, not even for a moment: another caller would be refused. */
  private boolean reserve(long bytes, int limit) {
    long before = (long) RESERVED.getOpaque(this);
    while (fits(before, bytes, limit)) {
      long witness = (long) RESERVED.compareAndExchange(this, before, before + bytes);
      if (witness == before) {
        return true;
      }
      before = witness;
    }
    return false;
  }

  /**
   * Of the bytes a level has the same share as of the slots. An event may be heavier than its
   * level's share where it is alone.
   */
  private boolean fits(long reserved, long bytes, int limit) {
    long share = reserved == 0 ? reservableBytes : reservableBytes * limit / queue.capacity();
    return reserved + bytes <= share;
  }

  /**
   * Whether the ring is filled to {@code limit}, so that an event need not even be formatted. Looks
   * at the flusher's index, which is another processor's, only after a refusal: an open ring costs
   * one read.
   */
  boolean isFullTo(int limit) {
    return (boolean) CROWDED.getOpaque(this) && queue.size() >= limit;
  }

  /** Makes {@link #isFullTo} look. */
  void noteRefusal() {
    if (!(boolean) CROWDED.getOpaque(this)) {
      CROWDED.setOpaque(this, true);
    }
  }

  /** Whether an event of this weight is refused for its bytes now, whatever its level. */
  boolean lacksBytes(long weightBytes) {
    return weightBytes > slotBytes
        && (long) RESERVED.getOpaque(this) + weightBytes > reservableBytes;
  }

  /** Whether an event of this weight can never enter. */
  boolean canNeverHold(long weightBytes) {
    return weightBytes > slotBytes && weightBytes > reservableBytes;
  }

  /** Takes the oldest event; the flusher only. Null when there is none, and after abandon. */
  @Nullable ILoggingEvent poll() {
    consumer.lock();
    try {
      Object slot = abandoned ? null : next();
      if (slot == null && (boolean) CROWDED.getOpaque(this)) {
        CROWDED.setOpaque(this, false);
      }
      if (slot instanceof Heavy heavy) {
        heldBytes = heavy.weightBytes();
        return heavy.event();
      }
      return (ILoggingEvent) slot;
    } finally {
      consumer.unlock();
    }
  }

  private @Nullable Object next() {
    if (!closed) {
      return queue.relaxedPoll();
    }
    return salvaged == null ? null : salvaged.poll();
  }

  /** Gives back the bytes of the event polled last, which is no longer held. The flusher only. */
  void release() {
    if (heldBytes > 0) {
      RESERVED.getAndAdd(this, -heldBytes);
      heldBytes = 0;
    }
  }

  /** Ends the flusher's part: what is in the ring now, or comes later, is dropped and counted. */
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
      Object slot = next();
      while (slot != null) {
        ILoggingEvent event = slot instanceof Heavy heavy ? heavy.event() : (ILoggingEvent) slot;
        ledger.drop(retired ? DropReason.STOPPED : DropReason.ABANDONED, event);
        slot = next();
      }
    } finally {
      consumer.unlock();
    }
  }

  /**
   * Ends the callers' part: whoever comes now is refused. Only for a ring that another one has
   * taken the place of, or that is abandoned.
   */
  void close() {
    consumer.lock();
    try {
      if (!closed) {
        closed = true;
        while (queue.offer(FILLER)) {
          fillers++;
        }
      }
    } finally {
      consumer.unlock();
    }
  }

  /**
   * Looks for the events of a closed ring; {@link #poll} then gives them out, in order.
   *
   * @param isLastLook whether to count slots that are still empty as lost, once for all
   * @param timeMs now, milliseconds since the epoch
   * @return events lost by this look; negative when it was not the last and slots are empty
   */
  int salvage(boolean isLastLook, long timeMs) {
    consumer.lock();
    try {
      if (salvaged != null) {
        return 0;
      }
      Deque<Object> found = new ArrayDeque<>();
      int filled = 0;
      for (Object slot : queue) {
        filled++;
        if (slot != FILLER) {
          found.add(slot);
        }
      }
      int lost = (int) (queue.currentProducerIndex() - queue.currentConsumerIndex()) - filled;
      if (lost > 0 && !isLastLook) {
        return -1;
      }
      // Nobody knows what their level was. A loss must not look smaller than it may be.
      ledger.drop(DropReason.OFFER_FAILED, Levels.COUNT - 1, lost, timeMs);
      salvaged = found;
      return lost;
    } finally {
      consumer.unlock();
    }
  }

  /** Whether nothing is left of a closed ring. */
  boolean isSpent() {
    consumer.lock();
    try {
      return closed && salvaged != null && salvaged.isEmpty();
    } finally {
      consumer.unlock();
    }
  }

  @Override
  public long retire() {
    consumer.lock();
    try {
      settleStragglers();
      if (isSpent()) {
        return accepted();
      }
      long taken = queue.currentConsumerIndex();
      if (!abandoned || taken != queue.currentProducerIndex()) {
        return -1;
      }
      retired = true;
      return taken;
    } finally {
      consumer.unlock();
    }
  }

  @Override
  public long accepted() {
    consumer.lock();
    try {
      return queue.currentProducerIndex() - fillers;
    } finally {
      consumer.unlock();
    }
  }

  /** Slots taken. Exact for the flusher as long as the ring is open. */
  int size() {
    return queue.size();
  }

  /** Events in the ring now, lost ones not counted once they are known. Not for log calls. */
  int fill() {
    consumer.lock();
    try {
      if (!closed) {
        return queue.size();
      }
      return salvaged == null ? queue.size() - fillers : salvaged.size();
    } finally {
      consumer.unlock();
    }
  }

  /** Where the flusher is: does not change as long as it gets nothing. */
  long position() {
    return queue.currentConsumerIndex();
  }

  /** Slots. */
  int capacity() {
    return queue.capacity();
  }
}
