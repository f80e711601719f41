package dev.forebay.benchmarks.lab.child;

import dev.forebay.agent.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What is in the log directory. */
final class LogFiles {

  private static final int BUFFER = 1 << 20;

  /** Files that did not grow for so long are taken for complete. */
  private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(5);

  private LogFiles() {}

  /** Line ends in all files. */
  static long lines(Path directory) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    long lines = 0;
    for (Path file : in(directory)) {
      try (FileChannel channel = FileChannel.open(file)) {
        while (channel.read(buffer.clear()) >= 0) {
          lines += lineEnds(buffer.array(), buffer.position());
        }
      }
    }
    return lines;
  }

  private static int lineEnds(byte[] bytes, int length) {
    int ends = 0;
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        ends++;
      }
    }
    return ends;
  }

  /** Has all files on the disk. */
  static void force(Path directory) throws IOException {
    for (Path file : in(directory)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }
  }

  /** Waits until the files do not grow any more. */
  static void awaitQuiet(Path directory, Duration timeout) throws IOException {
    long deadlineNs = NanoClock.SYSTEM.nanoTime() + timeout.toNanos();
    long size = size(directory);
    long lastGrownNs = NanoClock.SYSTEM.nanoTime();
    for (long nowNs = lastGrownNs; nowNs - lastGrownNs < QUIET_NS; ) {
      Timeline.parkUntil(nowNs + POLL_NS);
      nowNs = NanoClock.SYSTEM.nanoTime();
      long newSize = size(directory);
      if (newSize != size) {
        size = newSize;
        lastGrownNs = nowNs;
      }
      if (nowNs - deadlineNs > 0) {
        throw new IOException("The log still grows after " + timeout);
      }
    }
  }

  /** Bytes of all files. */
  static long size(Path directory) throws IOException {
    try {
      return in(directory).stream().mapToLong(file -> file.toFile().length()).sum();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static List<Path> in(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }
}
