package dev.forebay.testkit;

import dev.forebay.host.Await;
import dev.forebay.shaded.jctools.queues.MessagePassingQueue;
import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Takes slots of a ring as an offer does, and does not fill them, or late. */
public final class Holes {

  private Holes() {}

  /** Leaves one slot empty for good, as an Error does between taking it and filling it. */
  public static void tear(Object ring) {
    try {
      queue(ring)
          .fill(
              () -> {
                throw new StackOverflowError("planted");
              },
              1);
      throw new AssertionError("no hole");
    } catch (StackOverflowError expected) {
      // the slot is taken by now
    }
  }

  /** Takes one slot and fills it when the latch is open; on a thread of its own. */
  public static Thread fillLate(Object ring, Object element, CountDownLatch latch) {
    CountDownLatch taken = new CountDownLatch(1);
    Thread late =
        new Thread(
            () ->
                queue(ring)
                    .fill(
                        () -> {
                          taken.countDown();
                          Await.latch(latch);
                          return element;
                        },
                        1));
    late.start();
    Await.latch(taken);
    return late;
  }

  /** The same, of a call that had reserved so many bytes. */
  public static void tear(Object ring, long reservedBytes) throws ReflectiveOperationException {
    tear(ring);
    Field field = queue(ring).getClass().getDeclaredField("reservedBytes");
    field.setAccessible(true);
    ((AtomicLong) field.get(queue(ring))).addAndGet(reservedBytes);
  }

  /** An offer as of a caller that has read which queue to use, and got no further. */
  public static BooleanSupplier lateOffer(Object ring) {
    MessagePassingQueue<Object> queue = queue(ring);
    return () -> queue.offer(new Object());
  }

  @SuppressWarnings("unchecked")
  private static MessagePassingQueue<Object> queue(Object ring) {
    try {
      Field field = ring.getClass().getDeclaredField("queue");
      field.setAccessible(true);
      return (MessagePassingQueue<Object>) field.get(ring);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
