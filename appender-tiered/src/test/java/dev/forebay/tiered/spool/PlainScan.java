package dev.forebay.tiered.spool;

import dev.forebay.tiered.identity.InstanceId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * What is to be found in segments, by the letter of the format's description: a second scanner over
 * whole arrays, without windows, files and offsets of its own, to compare the real one with.
 */
final class PlainScan {
  private final byte[] instance;
  private final SortedMap<Long, byte[]> records = new TreeMap<>();

  /** Behind the last record, or the place where one should be; 0 without segments. */
  private long end;

  private PlainScan(InstanceId instance) {
    this.instance = instance.bytes();
  }

  /** Scans the segments of an orphan, by first sequence. */
  static PlainScan of(InstanceId instance, NavigableMap<Long, byte[]> segments) {
    PlainScan scan = new PlainScan(instance);
    segments.forEach(
        (first, bytes) -> {
          Long next = segments.higherKey(first);
          scan.end = scan.segment(ByteBuffer.wrap(bytes), first, next == null ? -1 : next);
        });
    return scan;
  }

  SortedMap<Long, byte[]> records() {
    return records;
  }

  long end() {
    return end;
  }

  private long segment(ByteBuffer bytes, long first, long next) {
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    int bound = Math.min(bytes.limit(), bound(bytes, first));
    int at = 64;
    long expected = first;
    while (next < 0 || expected < next) {
      if (!isFrame(bytes, bound, at, expected)) {
        Map.Entry<Integer, Long> found = search(bytes, bound, at, expected, next);
        if (found == null) {
          return next < 0 ? expected : next;
        }
        at = found.getKey();
        expected = found.getValue();
      }
      byte[] payload = new byte[bytes.getInt(at) - 16];
      bytes.get(at + 16, payload);
      records.put(expected, payload);
      at += (bytes.getInt(at) + 7) / 8 * 8;
      expected++;
    }
    return next;
  }

  private int bound(ByteBuffer bytes, long first) {
    int unlimited = 1 << 30;
    if (bytes.limit() < 64 || bytes.getLong(0) != 0x0A59414245524F46L) {
      return unlimited;
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(0, 60));
    int size = bytes.getInt(40);
    boolean isOurs =
        bytes.getInt(60) == (int) crc.getValue()
            && bytes.getInt(8) == 1
            && ByteBuffer.wrap(instance).equals(bytes.slice(16, 16))
            && bytes.getLong(32) == first
            && size >= 0
            && size <= unlimited;
    return isOurs ? size / 8 * 8 : unlimited;
  }

  private Map.Entry<Integer, Long> search(
      ByteBuffer bytes, int bound, int damage, long low, long next) {
    for (int at = damage + 8; at + 16 <= bound; at += 8) {
      long sequence = bytes.getLong(at + 8) & 0xFF_FFFF_FFFF_FFFFL;
      if (sequence >= low
          && (next < 0 || sequence < next)
          && sequence <= low + (at - damage) / 16
          && isFrame(bytes, bound, at, sequence)) {
        return Map.entry(at, sequence);
      }
    }
    return null;
  }

  private boolean isFrame(ByteBuffer bytes, int bound, int at, long sequence) {
    if (at + 16 > bound) {
      return false;
    }
    int length = bytes.getInt(at);
    long word = bytes.getLong(at + 8);
    return length >= 16
        && length <= bound - at
        && (word & 0xFF_FFFF_FFFF_FFFFL) == sequence
        && word >>> 56 < 5
        && bytes.getInt(at + 4) == checksum(instance, bytes, at);
  }

  /** The checksum that the frame at a place should have. */
  static int checksum(byte[] instance, ByteBuffer bytes, int at) {
    CRC32C crc = new CRC32C();
    crc.update(instance);
    crc.update(bytes.slice(at, 4));
    crc.update(bytes.slice(at + 8, bytes.getInt(at) - 8));
    return (int) crc.getValue();
  }
}
