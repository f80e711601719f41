package dev.forebay.tiered.disk;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A planned event of a {@link FaultyDisk}, at the call of an operation after so many, or at each
 * later one too.
 *
 * @param op null for whatever operation
 */
record Fault(
    FaultyDisk.@Nullable Op op,
    AtomicInteger callsBefore,
    FaultyDisk.Event event,
    boolean isLasting) {

  boolean hits(FaultyDisk.Op called) {
    boolean isAny = called != FaultyDisk.Op.IS_IN_MEMORY && called != FaultyDisk.Op.WRITTEN;
    boolean isMeant = op == null ? isAny : op == called;
    int before = isMeant ? callsBefore.updateAndGet(calls -> Math.max(calls - 1, -2)) : 0;
    return before == -1 || (isLasting && before < 0);
  }
}
