package dev.forebay.benchmarks.lab.jvm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Exits a second after the measured time began. Its last garbage collection is long ago then. */
public final class Leaver {

  private static final long STAYS_NS = TimeUnit.SECONDS.toNanos(1);

  private Leaver() {}

  /** Takes a file for the figures. */
  public static void main(String[] args) throws IOException {
    Host.awaitLog();
    Host.ready();
    System.gc();
    long originNs = System.nanoTime();
    Host.measuring(originNs);
    Host.parkUntil(originNs + STAYS_NS);
    Host.done();
    Host.leave(
        Map.of(
            JvmFigure.ORIGIN_NS, (double) originNs, JvmFigure.LEFT_NS, (double) System.nanoTime()),
        Path.of(args[0]));
    System.exit(0);
  }
}
