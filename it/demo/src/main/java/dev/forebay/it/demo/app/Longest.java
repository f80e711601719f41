package dev.forebay.it.demo.app;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The longest latency of each slot of time; any thread may record. What is measured belongs to the
 * slot in which it began. The slots of all processes on a host are the same.
 */
public final class Longest {

  public static final long SLOT_MS = 200;

  /** Of more than three minutes, which is longer than a run may take. */
  private static final int SLOTS = 1_000;

  private final AtomicLongArray longestNs = new AtomicLongArray(SLOTS);
  private final long firstSlot;

  /** When the first slot began, in the time of {@link System#nanoTime}. */
  private final long beginNs;

  /**
   * Starts with the slot of now.
   *
   * @param nowMs since the epoch
   * @param nowNs the same moment in the time of {@link System#nanoTime}
   */
  public Longest(long nowMs, long nowNs) {
    this.firstSlot = nowMs / SLOT_MS;
    this.beginNs = nowNs - TimeUnit.MILLISECONDS.toNanos(nowMs % SLOT_MS);
  }

  /** Records one latency; what begins after the last slot is left out. */
  public void record(long begunNs, long latencyNs) {
    long slot = Math.floorDiv(begunNs - beginNs, TimeUnit.MILLISECONDS.toNanos(SLOT_MS));
    if (slot >= 0 && slot < SLOTS && longestNs.getPlain((int) slot) < latencyNs) {
      longestNs.accumulateAndGet((int) slot, latencyNs, Math::max);
    }
  }

  /** What was recorded so far. */
  public Slots slots() {
    List<Long> values = new ArrayList<>();
    for (int slot = 0; slot < SLOTS; slot++) {
      values.add(longestNs.get(slot));
    }
    while (!values.isEmpty() && values.get(values.size() - 1) == 0) {
      values.remove(values.size() - 1);
    }
    return new Slots(firstSlot, values);
  }

  /**
   * The values of consecutive slots.
   *
   * @param first number of the first slot since the epoch
   * @param ns longest latencies, 0 where nothing began
   */
  public record Slots(long first, List<Long> ns) {

    /** No value at all. */
    public static final Slots NONE = new Slots(0, List.of());

    /** The value of a slot, 0 outside of what was measured. */
    public long at(long slot) {
      long index = slot - first;
      return index >= 0 && index < ns.size() ? ns.get((int) index) : 0;
    }
  }
}
