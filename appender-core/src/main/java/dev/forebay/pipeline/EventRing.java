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
 * share costs no atomic operation. Only a heavier one reserves its weight from the other half.
 *
 * <p>Taking out: {@link #drain} belongs to the flusher, but when {@code stop()} has waited long
 * enough, the stopping thread takes out the rest by {@link #abandon}. The lock makes sure that only
 * one of them polls at a time; callers never touch it.
 *
 * <p>The race with stop: a caller that saw an open pipeline may offer after the last drain. Its
 * event then lies in the ring, counted by the producer index as accepted and so as in flight, until
 * {@link #settleStragglers}, which every snapshot calls, counts it as abandoned.
 */
public final class EventRing implements Ledger.Intake {

  private static final VarHandle RESERVED;

  static {
    try {
      RESERVED = MethodHandles.lookup().findVarHandle(EventRing.class, "reservedBytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final MpscVarHandleArrayQueue<ILoggingEvent> queue;
  private final Ledger ledger;
  private final long slotBytes;
  private final long reservableBytes;
  private final ReentrantLock consumer = new ReentrantLock();

  /** Added to by callers with heavy events, taken from by the consumer. */
  @SuppressWarnings("unused") // through RESERVED
  private long reservedBytes;

  /** Guarded by consumer. Once true, nothing more goes to the flusher. */
  private boolean abandoned;

  /**
   * @param capacity slots, a power of two
   * @param budgetBytes bound of the weight of all events in the ring together
   * @param ledger where abandoned events are counted
   */
  public EventRing(int capacity, long budgetBytes, Ledger ledger) {
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
    if (queue.offerIfBelowThreshold(event, limit)) {
      return true;
    }
    RESERVED.getAndAdd(this, -weightBytes);
    return false;
  }

  private boolean reserve(long bytes) {
    long before = (long) RESERVED.getAndAdd(this, bytes);
    if (before + bytes > reservableBytes) {
      RESERVED.getAndAdd(this, -bytes);
      return false;
    }
    return true;
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

  /** Moves events into {@code chunk}; the flusher only. The count, 0 after {@link #abandon}. */
  int drain(@Nullable ILoggingEvent[] chunk) {
    consumer.lock();
    try {
      int count = 0;
      while (!abandoned && count < chunk.length) {
        ILoggingEvent event = queue.relaxedPoll();
        if (event == null) {
          break;
        }
        chunk[count++] = event;
      }
      return count;
    } finally {
      consumer.unlock();
    }
  }

  /** Gives back the bytes of an event that was drained and is no longer held. The flusher only. */
  void release(ILoggingEvent event) {
    long weightBytes = EventWeight.of(event);
    if (weightBytes > slotBytes) {
      RESERVED.getAndAdd(this, -weightBytes);
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
      ILoggingEvent event = queue.relaxedPoll();
      while (event != null) {
        ledger.drop(DropReason.ABANDONED, event);
        event = queue.relaxedPoll();
      }
    } finally {
      consumer.unlock();
    }
  }

  @Override
  public long accepted() {
    return queue.currentProducerIndex();
  }

  /** Events in the ring now. */
  public int size() {
    return queue.size();
  }

  /** Slots. */
  public int capacity() {
    return queue.capacity();
  }
}
