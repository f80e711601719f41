package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the segments of a spool, one at a time: frames, which it validates, or the lines of the
 * JVM's log, of which only those are asked for that their owner has counted. A length read from a
 * file is checked against the file's bounds before use, and nothing is allocated.
 */
final class SegmentReader {
  private final Disk disk;
  private final InstanceId instance;
  private final FrameFormat format;
  private final Warnings warnings;

  /** A part of the file, as it was when last read. */
  private final ByteBuffer window;

  private int windowStart;
  private int windowBytes;

  private @Nullable Segment segment;
  private @Nullable DiskFile file;

  /** Cuts the segment into lines; null if it has frames. */
  private @Nullable LineCutter lines;

  /** The end of the part of the file that may have frames. */
  private int bound;

  private int position;

  // The size of the record found last: its length in the file may have changed since.

  private int payloadBytes;
  private int nextPosition;

  SegmentReader(Disk disk, InstanceId instance, ByteBuffer window, Warnings warnings) {
    this.disk = disk;
    this.instance = instance;
    this.format = new FrameFormat(instance);
    this.window = window;
    this.warnings = warnings;
  }

  /**
   * Opens a segment. A segment with a damaged header is reported and marked, but read like any
   * other, because each frame has its own checksum.
   *
   * @param isEndKnown whether it is known how many records the spool has
   * @return false if there is no such file or it is not a regular file
   */
  boolean open(Segment next, boolean isEndKnown) throws IOException {
    FileInfo info = disk.isGone(next.path) ? null : disk.stat(next.path);
    if (info == null && isEndKnown) {
      return false; // the gap that follows reports it
    }
    if (info == null || info.kind() != FileInfo.Kind.FILE) {
      warnings.add(
          "cannot read " + next.path + ": " + (info == null ? "is missing" : Trust.kindOf(info)));
      return false;
    }
    windowBytes = 0;
    DiskFile opened = null;
    try {
      opened = disk.open(next.path, Disk.Mode.READ);
      if (next.linesFrom >= 0) {
        LineCutter cutter = new LineCutter();
        cutter.begin(opened, next.linesFrom);
        lines = cutter;
        position = next.linesFrom;
      } else {
        lines = null;
        bound = bound(next, opened, info.sizeBytes());
        position = FrameFormat.SEGMENT_HEADER_BYTES;
      }
      segment = next;
      file = opened;
      return true;
    } catch (IOException e) {
      if (opened == null && e instanceof NoSuchFileException) {
        return false;
      }
      if (opened == null) {
        disk.list(next.path.resolveSibling("")); // fails if no descriptor is left
      }
      next.readFailed(e);
      throw e;
    } finally {
      if (segment != next && opened != null) {
        opened.close();
      }
    }
  }

  private int bound(Segment next, DiskFile opened, long sizeBytes) throws IOException {
    String fault =
        readHeader(opened, window)
            ? FrameFormat.headerFault(window, instance, next.firstSequence)
            : "its header is damaged";
    int bytes = SpoolLimits.MAX_SEGMENT_BYTES;
    if (fault == null) {
      bytes = FrameFormat.segmentBytes(window);
      if (sizeBytes > bytes) {
        fault = "its length is " + sizeBytes + " bytes, required: at most " + bytes;
      }
    }
    if (fault != null) {
      next.damaged = true;
      warnings.add("suspect segment " + next.path + ": " + fault);
    }
    return FrameFormat.endOfFrames(bytes);
  }

  /** Reads the header of a file into a buffer; false if it is damaged or incomplete. */
  static boolean readHeader(DiskFile file, ByteBuffer buffer) throws IOException {
    int bytes = FrameFormat.SEGMENT_HEADER_BYTES;
    return fill(file, buffer, 0, bytes) == bytes && FrameFormat.isHeader(buffer);
  }

  @Nullable Segment segment() {
    return segment;
  }

  String place() {
    return "offset " + position + " of " + open().path;
  }

  private Segment open() {
    return Objects.requireNonNull(segment, "an open segment");
  }

  void close() {
    DiskFile.closeQuietly(file); // it was only read
    file = null;
    segment = null;
  }

  /** Whether a whole, undamaged record of this sequence starts here. */
  boolean isRecord(long sequence) throws IOException {
    LineCutter cutter = lines;
    if (cutter != null) {
      return isLine(cutter, sequence);
    }
    if (matches(position, sequence)) {
      return true;
    }
    windowBytes = 0; // the writer may have added the frame since the window was read
    return matches(position, sequence);
  }

  private boolean isLine(LineCutter cutter, long sequence) throws IOException {
    long end = open().endSequence;
    if (end >= 0 && sequence >= end) {
      return false;
    }
    cutter.seek(position);
    boolean isThere = cutter.next(true);
    payloadBytes = cutter.length();
    nextPosition = position + payloadBytes;
    return isThere;
  }

  int payloadBytes() {
    return payloadBytes;
  }

  void advance() {
    position = nextPosition;
  }

  /**
   * Searches after a damaged place for the next complete frame, and moves there. In a file of
   * lines, nothing shows which line follows a damaged one.
   *
   * @param low sequence of the frame that should have started here; that found is below {@code
   *     high}
   * @return the sequence found; -1 if there is none
   */
  long search(long low, long high) throws IOException {
    if (lines != null) {
      return -1;
    }
    windowBytes = 0;
    int at = position + FrameFormat.ALIGNMENT;
    while (isAvailable(at, FrameFormat.FRAME_HEADER_BYTES)) {
      long sequence = FrameFormat.sequence(window, at - windowStart);
      // Skipped frames need space too; this check avoids nearly all checksums.
      long possible = low + (at - position) / FrameFormat.FRAME_HEADER_BYTES;
      if (sequence >= low && sequence < high && sequence <= possible && matches(at, sequence)) {
        position = at;
        return sequence;
      }
      at += FrameFormat.ALIGNMENT;
    }
    return -1;
  }

  /** Fills the rest of a buffer from the payload of the {@link #isRecord record} here. */
  void copyPayload(ByteBuffer target) throws IOException {
    LineCutter cutter = lines;
    if (cutter != null) {
      target.put(cutter.bytes(), cutter.start(), target.remaining());
      return;
    }
    int from = position + FrameFormat.FRAME_HEADER_BYTES;
    while (target.hasRemaining()) {
      int bytes = Math.min(target.remaining(), window.capacity());
      if (!isAvailable(from, bytes)) {
        throw new IOException(open().path + " was truncated while being read");
      }
      target.put(window.limit(from - windowStart + bytes).position(from - windowStart));
      window.clear();
      from += bytes;
    }
  }

  private boolean matches(int start, long sequence) throws IOException {
    if (!isAvailable(start, FrameFormat.FRAME_HEADER_BYTES)) {
      return false;
    }
    int at = start - windowStart;
    int length = FrameFormat.length(window, at);
    payloadBytes = length - FrameFormat.FRAME_HEADER_BYTES;
    nextPosition = start + FrameFormat.stride(length);
    return length >= FrameFormat.FRAME_HEADER_BYTES
        && length <= bound - start
        && FrameFormat.sequence(window, at) == sequence
        && FrameFormat.level(window, at) < FrameFormat.LEVELS
        && isChecksumRight(start, length, FrameFormat.expectedChecksum(window, at));
  }

  private boolean isChecksumRight(int start, int length, int expected) throws IOException {
    format.beginChecksum(length);
    int from = start + FrameFormat.WORD_AT;
    int end = start + length;
    while (from < end) {
      int bytes = Math.min(end - from, window.capacity());
      if (!isAvailable(from, bytes)) {
        return false;
      }
      format.addToChecksum(window, from - windowStart, bytes);
      from += bytes;
    }
    return format.checksum() == expected;
  }

  /** Makes the window hold these bytes; false if the file is too short. */
  private boolean isAvailable(int start, int bytes) throws IOException {
    if (bytes > bound - start) {
      return false;
    }
    if (start < windowStart || start + bytes > windowStart + windowBytes) {
      DiskFile open = Objects.requireNonNull(file, "an open segment");
      windowBytes = 0; // stays so if reading fails
      windowStart = start;
      windowBytes = fill(open, window, start, Math.min(window.capacity(), bound - start));
    }
    return bytes <= windowBytes;
  }

  /** Reads into a buffer from its beginning, until it has these bytes or the file ends. */
  private static int fill(DiskFile file, ByteBuffer buffer, int position, int bytes)
      throws IOException {
    buffer.clear().limit(bytes);
    try {
      boolean unused = file.readFully(buffer, position);
      return buffer.position();
    } finally {
      buffer.clear();
    }
  }
}
