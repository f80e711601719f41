package dev.forebay.benchmarks.lab.jvm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Allocates 512 MB a second, of which the last ones are live, and notes how long it was held up. A
 * {@link HiccupMeter} runs beside it.
 */
public final class Allocator {

  private static final int CHUNK = 16 << 10;
  private static final int CHUNKS_PER_TICK = (512 << 20) / CHUNK / 1_000;
  private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(1);

  private final byte[][] live;
  private int next;

  private Allocator(int liveMegabytes) {
    live = new byte[(liveMegabytes << 20) / CHUNK][];
  }

  /** Takes a file for the figures, the seconds to measure and how many megabytes are live. */
  public static void main(String[] args) throws IOException {
    Allocator allocator = new Allocator(Integer.parseInt(args[2]));
    long measuredNs = TimeUnit.SECONDS.toNanos(Long.parseLong(args[1]));
    Host.awaitLog();
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
    Host.leave(figures, Path.of(args[0]));
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
