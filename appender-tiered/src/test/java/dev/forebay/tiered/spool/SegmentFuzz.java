package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.MemoryDisk;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * A target for a fuzzer: segments of any content, whose checksums are made right again, since none
 * is ever guessed. What the scanner finds must be what {@link PlainScan} finds. With one flag a bit
 * of each segment is flipped afterwards: that costs the record it is in.
 *
 * <p>Input: a byte for the size of the reader's window, a byte of flags, then for each segment two
 * bytes length, one byte that the first sequence is above the last segment's, and the content.
 */
public final class SegmentFuzz {
  private static final int SEAL_HEADERS = 1;
  private static final int SEAL_FRAMES = 2;
  private static final int FLIP_A_BIT = 4;
  private static final InstanceId INSTANCE =
      new InstanceId(0x0102030405060708L, 0x1112131415161718L);
  private static final Path HOME =
      Path.of("/", SpoolNames.SPOOL + SpoolNames.spoolSuffix(0, INSTANCE));

  private SegmentFuzz() {}

  public static void fuzzerTestOneInput(byte[] data) throws IOException {
    if (data.length < 2) {
      return;
    }
    NavigableMap<Long, byte[]> segments = segments(data);
    int windowBytes = 64 << (data[0] & 7);
    PlainScan expected = PlainScan.of(INSTANCE, segments);
    long start = segments.isEmpty() ? 0 : Math.max(0, segments.firstKey() - (data[0] >> 3 & 1));
    RecordBatch small = new RecordBatch(1 << 10);
    SegmentCursor cursor = cursor(segments, windowBytes);
    cursor.seek(start);
    expect(expected, start, small, () -> next(cursor, small));
    SegmentCursor end = cursor(segments, windowBytes);
    require(end.findEnd() == (segments.isEmpty() ? -1 : expected.end()), "another end");

    RecordBatch large = SpoolView.batch();
    try (SpoolView view = new SpoolView(disk(segments), HOME, () -> 0)) {
      view.seek(start);
      expect(expected, start, large, () -> view.read(large, Long.MAX_VALUE));
    }
  }

  private interface Reader {
    MissingRecords read() throws IOException;
  }

  private static MissingRecords next(SegmentCursor cursor, RecordBatch batch) throws IOException {
    batch.clear();
    MissingRecords step = cursor.step();
    require(step != null || cursor.take(batch), "a batch that is full at once");
    require(batch.payload().capacity() <= Math.max(batch.byteCount(), 1 << 10), "memory");
    return step == null || step.isNone() ? null : step;
  }

  private static void expect(PlainScan expected, long start, RecordBatch batch, Reader reader)
      throws IOException {
    long next = start;
    MissingRecords found = reader.read();
    while (found != null || batch.count() > 0) {
      if (found != null) {
        boolean isSomething = found.count() > 0 || !found.reason().isEmpty();
        require(found.fromSequence() == next && isSomething, found + " at " + next);
        next += found.count();
        require(
            expected.records().subMap(found.fromSequence(), next).isEmpty(), "records in " + found);
      } else {
        require(batch.firstSequence() == next, "record " + batch.firstSequence() + " at " + next);
        for (byte[] record : Spools.payloads(batch)) {
          require(Arrays.equals(record, expected.records().get(next)), "another " + next);
          next++;
        }
      }
      found = reader.read();
    }
    require(next == Math.max(start, expected.end()), "ends at " + next);
  }

  private static NavigableMap<Long, byte[]> segments(byte[] data) {
    NavigableMap<Long, byte[]> segments = new TreeMap<>();
    ByteBuffer input = ByteBuffer.wrap(data).position(2);
    long first = 0;
    while (input.remaining() > 3) {
      int bytes = Math.min(input.getShort() & 0x1FFF, input.remaining() - 1);
      first += input.get() & 0xFF;
      byte[] segment = new byte[bytes];
      input.get(segment);
      seal(segment, first, data[1]);
      if ((data[1] & FLIP_A_BIT) != 0 && bytes > 0) {
        segment[bytes - 1 - (data[0] & 0xFF) % bytes] ^= 1;
      }
      segments.put(first, segment);
    }
    return segments;
  }

  private static void seal(byte[] segment, long first, int flags) {
    ByteBuffer bytes = ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN);
    if ((flags & SEAL_HEADERS) != 0 && segment.length >= 64) {
      bytes.putLong(0, 0x0A59414245524F46L).put(16, INSTANCE.bytes()).putLong(32, first);
      bytes.putInt(8, 1 + (bytes.get(8) >> 7)); // another version now and then
      CRC32C crc = new CRC32C();
      crc.update(segment, 0, 60);
      bytes.putInt(60, (int) crc.getValue());
    }
    long expected = first;
    for (int at = 64; (flags & SEAL_FRAMES) != 0 && at + 16 <= segment.length; ) {
      int length = bytes.getInt(at);
      if (length < 16 || length > segment.length - at) {
        at += 8;
        continue;
      }
      if (bytes.get(at + 15) < 0) { // spares the fuzzer the counting
        bytes.putLong(at + 8, (2L << 56) | expected);
      }
      expected = (bytes.getLong(at + 8) & 0xFF_FFFF_FFFF_FFFFL) + 1;
      bytes.putInt(at + 4, PlainScan.checksum(INSTANCE.bytes(), bytes, at));
      at += (length + 7) / 8 * 8;
    }
  }

  /** The spool or loop that an input describes, as the next start takes it over. */
  public static RecordSource orphan(byte[] data) throws IOException {
    Disk disk = disk(segments(data));
    Warnings warnings = new Warnings();
    SpoolLock lock = Objects.requireNonNull(SpoolLock.tryTake(disk, HOME.resolve(SpoolNames.LOCK)));
    SpoolLease lease = new SpoolLease(disk, HOME, lock);
    OrphanSegments segments = new OrphanSegments(disk, lease, SegmentFeed.UNKNOWN, warnings);
    return new RecordSource(disk, lease, segments, warnings);
  }

  /** The payloads of its records, found by the plain scanner. */
  public static List<byte[]> records(byte[] data) {
    return List.copyOf(PlainScan.of(INSTANCE, segments(data)).records().values());
  }

  private static Disk disk(NavigableMap<Long, byte[]> segments) throws IOException {
    MemoryDisk disk = new MemoryDisk();
    disk.createDirectory(HOME);
    segments.forEach((first, bytes) -> disk.put(HOME.resolve(SpoolNames.segment(first)), bytes));
    return disk;
  }

  private static SegmentCursor cursor(NavigableMap<Long, byte[]> contents, int windowBytes)
      throws IOException {
    NavigableMap<Long, Segment> segments = new TreeMap<>();
    for (long first : contents.keySet()) {
      segments.put(first, new Segment(first, HOME.resolve(SpoolNames.segment(first))));
    }
    ByteBuffer window = ByteBuffer.allocate(windowBytes).order(ByteOrder.LITTLE_ENDIAN);
    Warnings warnings = new Warnings();
    return new SegmentCursor(
        disk(contents),
        (all, wanted) -> all.putAll(segments),
        new FrameContent(INSTANCE, window),
        warnings);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
