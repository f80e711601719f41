package dev.forebay.benchmarks.lab.jvm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Allocates 512 MB a second, of which the last 64 MB are live, and notes how long it was held up. A
 * {@link HiccupMeter} runs beside it.
 */
public final class Allocator {

  private static final int CHUNK = 16 << 10;
  private static final int CHUNKS_PER_TICK = (512 << 20) / CHUNK / 1_000;
  private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(1);

  private final byte[][] live = new byte[(64 << 20) / CHUNK][];
  private int next;

  private Allocator() {}

  /** Takes the seconds to measure and a file for the figures. */
  public static void main(String[] args) throws IOException {
    Allocator allocator = new Allocator();
    long measuredNs = TimeUnit.SECONDS.toNanos(Long.parseLong(args[0]));
    Host.ready();
    allocator.allocateUntil(System.nanoTime() + WARM_UP_NS);
    HiccupMeter hiccups = HiccupMeter.start();
    long originNs = System.nanoTime();
    Host.measuring(originNs);
    long heldUpNs = allocator.allocateUntil(originNs + measuredNs);
    long endNs = System.nanoTime();
    Host.measured(endNs);
    Map<JvmFigure, Double> figures = new EnumMap<>(JvmFigure.class);
    figures.put(JvmFigure.ORIGIN_NS, (double) originNs);
    figures.put(JvmFigure.HELD_UP_NS, (double) heldUpNs);
    hiccups.stop(endNs - originNs, figures);
    Host.leave(figures, Path.of(args[1]));
    Host.done();
    System.exit(0);
  }

  /** The longest delay of a tick. */
  private long allocateUntil(long endNs) {
    long longestNs = 0;
    for (long tickNs = System.nanoTime(); tickNs < endNs; tickNs += TICK_NS) {
      Host.parkUntil(tickNs);
      for (int chunk = 0; chunk < CHUNKS_PER_TICK; chunk++) {
        live[next] = new byte[CHUNK];
        next = (next + 1) % live.length;
      }
      longestNs = Math.max(longestNs, System.nanoTime() - tickNs);
    }
    return longestNs;
  }
}
