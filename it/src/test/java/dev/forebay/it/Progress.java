package dev.forebay.it;

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
 * producers.
 */
final class Progress {

  private static final int SLOTS = 64;

  private final MappedByteBuffer slots;

  private Progress(MappedByteBuffer slots) {
    this.slots = slots;
  }

  static Progress at(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new Progress(
          channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) SLOTS * Long.BYTES));
    }
  }

  void up(long pid) {
    slots.putLong(0, pid);
  }

  boolean isUp() {
    return pid() != 0;
  }

  /** The process id as the child itself knows it. */
  long pid() {
    return slots.getLong(0);
  }

  void longestCallNs(long ns) {
    slots.putLong(Long.BYTES, ns);
  }

  long longestCallNs() {
    return slots.getLong(Long.BYTES);
  }

  void durableUpTo(long watermark) {
    slots.putLong((SLOTS - 1) * Long.BYTES, watermark);
  }

  long durableUpTo() {
    return slots.getLong((SLOTS - 1) * Long.BYTES);
  }

  void offered(int producer, long messages) {
    slots.putLong((2 + 2 * producer) * Long.BYTES, messages);
  }

  long offered(int producer) {
    return slots.getLong((2 + 2 * producer) * Long.BYTES);
  }

  void acked(int producer, long messages) {
    slots.putLong((3 + 2 * producer) * Long.BYTES, messages);
  }

  long acked(int producer) {
    return slots.getLong((3 + 2 * producer) * Long.BYTES);
  }
}
