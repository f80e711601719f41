package dev.forebay.it.support;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What a child process tells of itself, in a mapped file: it costs the child no system call and
 * outlives a kill. Slot 0 holds the process id of a child that has come to its work, slot 1 how
 * long its longest log call took; then a producer's two: how many messages it began to log, and how
 * many are acknowledged as durable. The last slot has the appender's own watermark, over all
 * producers, the one before it what its longest call took beside what the machine did.
 */
public final class Progress {

  private static final int SLOTS = 64;

  private final MappedByteBuffer slots;

  private Progress(MappedByteBuffer slots) {
    this.slots = slots;
  }

  public static Progress at(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new Progress(
          channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) SLOTS * Long.BYTES));
    }
  }

  public void up(long pid) {
    slots.putLong(0, pid);
  }

  public boolean isUp() {
    return pid() != 0;
  }

  /** The process id as the child itself knows it. */
  public long pid() {
    return slots.getLong(0);
  }

  public void longestCallNs(long ns) {
    slots.putLong(Long.BYTES, ns);
  }

  public long longestCallNs() {
    return slots.getLong(Long.BYTES);
  }

  public void longestOwnCallNs(long ns) {
    slots.putLong((SLOTS - 2) * Long.BYTES, ns);
  }

  public long longestOwnCallNs() {
    return slots.getLong((SLOTS - 2) * Long.BYTES);
  }

  public void durableUpTo(long watermark) {
    slots.putLong((SLOTS - 1) * Long.BYTES, watermark);
  }

  public long durableUpTo() {
    return slots.getLong((SLOTS - 1) * Long.BYTES);
  }

  public void offered(int producer, long messages) {
    slots.putLong((2 + 2 * producer) * Long.BYTES, messages);
  }

  public long offered(int producer) {
    return slots.getLong((2 + 2 * producer) * Long.BYTES);
  }

  public void acked(int producer, long messages) {
    slots.putLong((3 + 2 * producer) * Long.BYTES, messages);
  }

  public long acked(int producer) {
    return slots.getLong((3 + 2 * producer) * Long.BYTES);
  }
}
