package dev.forebay.benchmarks.lab.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * A process that writes to files, each at the same time, until its input ends: blocks of 1 MiB
 * through the page cache, over and over the same 256 MiB, forced to the disk every 64 MiB. That is
 * what a backup, a compaction or the logs of other services do.
 */
public final class NoisyNeighbour {

  private static final int BLOCK_BYTES = 1 << 20;
  private static final int BLOCKS = 256;
  private static final int BLOCKS_PER_FORCE = 64;
  private static final long SEED = 42;

  private NoisyNeighbour() {}

  /** Takes the files. */
  public static void main(String[] args) throws IOException {
    for (String name : args) {
      Path file = Path.of(name);
      Thread writer = new Thread(() -> writeForever(file), "neighbour");
      writer.setDaemon(true);
      writer.start();
    }
    while (System.in.read() >= 0) {
      // Who started this says nothing; his end is the end of the input.
    }
  }

  private static void writeForever(Path file) {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    byte[] noise = new byte[BLOCK_BYTES];
    // Not zeros, which some disks need not write.
    new Random(SEED).nextBytes(noise);
    block.put(noise);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (long count = 0; ; count++) {
        block.clear();
        channel.write(block, count % BLOCKS * BLOCK_BYTES);
        if (count % BLOCKS_PER_FORCE == BLOCKS_PER_FORCE - 1) {
          channel.force(true);
        }
      }
    } catch (IOException e) {
      System.err.println(e);
      Runtime.getRuntime().halt(1);
    }
  }
}
