package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
   * Adds an event unless the ring is filled to {@code limit} or lacks the bytes. Any thread;
   * lock-free.
   *
   * @param weightBytes what {@link EventWeight} says
   */
  boolean offer(ILoggingEvent event, long weightBytes, int limit) {
    if (weightBytes <= slotBytes) {
      return queue.offerIfBelowThreshold(event, limit);
    }
    if (!reserve(weightBytes)) {
      return false;
    }
    if (queue.offerIfBelowThreshold(new Heavy(event, weightBytes), limit)) {
      return true;
    }
    RESERVED.getAndAdd(this, -weightBytes);
    return false;
  }

  /** Never takes more than there is, not even for a moment: another caller would be refused. */
  private boolean reserve(long bytes) {
    long before = (long) RESERVED.getOpaque(this);
    while (before + bytes <= reservableBytes) {
      long witness = (long) RESERVED.compareAndExchange(this, before, before + bytes);
      if (witness == before) {
        return true;
      }
      before = witness;
    }
    return false;
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

  /** Whether an event of this weight is refused for its bytes now. */
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
      Object slot = abandoned ? null : queue.relaxedPoll();
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
      Object slot = queue.relaxedPoll();
      while (slot != null) {
        ILoggingEvent event = slot instanceof Heavy heavy ? heavy.event() : (ILoggingEvent) slot;
        ledger.drop(retired ? DropReason.STOPPED : DropReason.ABANDONED, event);
        slot = queue.relaxedPoll();
      }
    } finally {
      consumer.unlock();
    }
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
      return taken;
    } finally {
      consumer.unlock();
    }
  }

  @Override
  public long accepted() {
    return queue.currentProducerIndex();
  }

  /** Events in the ring now. */
  int size() {
    return queue.size();
  }

  /** Slots. */
  int capacity() {
    return queue.capacity();
  }
}
