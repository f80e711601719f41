package dev.forebay.it.gatling;

import dev.forebay.host.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;

/**
 * How long writes take to a disk: blocks of 8 KiB appended to a file, 12 MB/s if the disk lets it,
 * about what an application under load logs.
 */
record GatlingProbe(long bytes, long allNs, long inWritesNs, long longestNs) {

  private static final int BLOCK_BYTES = 8192;
  private static final long EVERY_NS = 666_667;

  /** Writes for so long. */
  static GatlingProbe write(Path file, Duration time) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    long blocks = 0;
    long inWritesNs = 0;
    long longestNs = 0;
    long startNs = System.nanoTime();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (System.nanoTime() - startNs < time.toNanos()) {
        long sinceNs = System.nanoTime();
        channel.write(block.clear());
        long tookNs = System.nanoTime() - sinceNs;
        blocks++;
        inWritesNs += tookNs;
        longestNs = Math.max(longestNs, tookNs);
        Await.pass(Duration.ofNanos(startNs + blocks * EVERY_NS - System.nanoTime()));
      }
    }
    return new GatlingProbe(
        blocks * BLOCK_BYTES, System.nanoTime() - startNs, inWritesNs, longestNs);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.1f MB/s, %.0f %% of the time in write(), longest %.1f ms",
        bytes * 1e3 / allNs,
        100.0 * inWritesNs / allNs,
        longestNs / 1e6);
  }
}
