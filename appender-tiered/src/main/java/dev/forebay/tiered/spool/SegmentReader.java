package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/**
 * Reads one segment file, here of frames, which it validates. The caller supplies positions. A
 * length read from the file is checked against the file's bounds before use, and nothing is
 * allocated.
 */
class SegmentReader {
  private final Segment segment;
  private final DiskFile file;
  private final FrameFormat format;

  /** Frames end before this. */
  private final int bound;

  /** A part of the file, as it was when last read. */
  private final ByteBuffer window;

  private int windowStart;
  private int windowBytes;

  /** Length of the last frame that was checked: the file's may have changed since. */
  private int frameLength;

  /** The frame that {@link #search} found. */
  private int foundPosition;

  private long foundSequence;

  SegmentReader(Segment segment, DiskFile file, FrameFormat format, int bound, ByteBuffer window) {
    this.segment = segment;
    this.file = file;
    this.format = format;
    this.bound = bound;
    this.window = window;
  }

  /** Shared by the readers of one spool; the window serves one reader at a time. */
  record Context(
      Disk disk, InstanceId instance, FrameFormat format, ByteBuffer window, Warnings warnings) {}

  /**
   * Opens a segment. A segment with a damaged header is reported and marked, but read like any
   * other, because each frame has its own checksum.
   *
   * @return null if there is no such file or it is not a regular file
   */
  static @Nullable SegmentReader open(Context context, Segment segment) throws IOException {
    FileInfo info = context.disk().stat(segment.path);
    if (info == null || info.kind() != FileInfo.Kind.FILE) {
      String fault = info == null ? "is missing" : Trust.kindOf(info);
      context.warnings().add("cannot read " + segment.path + ": " + fault);
      return null;
    }
    DiskFile file;
    try {
      file = context.disk().open(segment.path, Disk.Mode.READ);
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      context.disk().list(segment.path.resolveSibling("")); // fails if no descriptor is left
      segment.readFailed(e);
      throw e;
    }
    if (segment.linesFrom >= 0) {
      return LineReader.of(context, segment, file);
    }
    SegmentReader reader = null;
    try {
      SegmentHeader header;
      try {
        header = header(file, context.window());
      } catch (IOException e) {
        segment.readFailed(e);
        throw e;
      }
      int bound = bound(context, segment, header, info.sizeBytes());
      reader = new SegmentReader(segment, file, context.format(), bound, context.window());
      return reader;
    } finally {
      if (reader == null) {
        file.close();
      }
    }
  }

  /** The header of an open segment; null if it is damaged or incomplete. */
  static @Nullable SegmentHeader header(DiskFile file, ByteBuffer buffer) throws IOException {
    int bytes = fill(file, buffer, 0, FrameFormat.SEGMENT_HEADER_BYTES);
    return bytes < FrameFormat.SEGMENT_HEADER_BYTES ? null : FrameFormat.header(buffer);
  }

  private static int bound(
      Context context, Segment segment, @Nullable SegmentHeader header, long sizeBytes) {
    String fault = null;
    int bound = SpoolLimits.MAX_SEGMENT_BYTES;
    if (header == null) {
      fault = "its header is damaged";
    } else if (header.version() != FrameFormat.VERSION
        || !header.instance().equals(context.instance())
        || header.firstSequence() != segment.firstSequence
        || header.segmentBytes() < 0
        || header.segmentBytes() > SpoolLimits.MAX_SEGMENT_BYTES) {
      fault = "its header does not match: " + header;
    } else {
      bound = header.segmentBytes();
      if (sizeBytes > bound) {
        fault = "its length is " + sizeBytes + " bytes, required: at most " + bound;
      }
    }
    if (fault != null) {
      segment.damaged = true;
      context.warnings().add("suspect segment " + segment.path + ": " + fault);
    }
    return FrameFormat.endOfFrames(bound);
  }

  final Segment segment() {
    return segment;
  }

  /** Where its first record is. */
  int firstPosition() {
    return FrameFormat.SEGMENT_HEADER_BYTES;
  }

  void close() {
    try {
      file.close();
    } catch (IOException e) {
      // The file was only read.
    }
  }

  /** Whether a whole, undamaged frame of this sequence starts here. */
  boolean isFrame(int position, long sequence) throws IOException {
    if (matches(position, sequence)) {
      return true;
    }
    windowBytes = 0; // the writer may have added the frame since the window was read
    return matches(position, sequence);
  }

  /**
   * Searches after a damaged place for the next complete frame.
   *
   * @param damage where the frame of sequence {@code low} should have started
   * @param high the sequence found must be below it
   */
  boolean search(int damage, long low, long high) throws IOException {
    windowBytes = 0;
    int position = damage + FrameFormat.ALIGNMENT;
    while (isAvailable(position, FrameFormat.FRAME_HEADER_BYTES)) {
      long sequence = FrameFormat.sequence(window, position - windowStart);
      // Skipped frames need space too; this check avoids nearly all checksums.
      long possible = low + (position - damage) / FrameFormat.FRAME_HEADER_BYTES;
      if (sequence >= low
          && sequence < high
          && sequence <= possible
          && matches(position, sequence)) {
        foundPosition = position;
        foundSequence = sequence;
        return true;
      }
      position += FrameFormat.ALIGNMENT;
    }
    return false;
  }

  int foundPosition() {
    return foundPosition;
  }

  long foundSequence() {
    return foundSequence;
  }

  /** Payload length of the frame that {@link #isFrame} or {@link #search} found last. */
  int payloadBytes() {
    return frameLength - FrameFormat.FRAME_HEADER_BYTES;
  }

  /** Position after that frame, which is at this one. */
  int positionAfter(int position) {
    return position + FrameFormat.stride(frameLength);
  }

  /** Fills the rest of a buffer from the payload of the {@link #isFrame frame} at a position. */
  void copyPayload(int position, ByteBuffer target) throws IOException {
    int from = position + FrameFormat.FRAME_HEADER_BYTES;
    while (target.hasRemaining()) {
      int bytes = Math.min(target.remaining(), window.capacity());
      if (!isAvailable(from, bytes)) {
        throw new IOException(segment.path + " was truncated while being read");
      }
      target.put(window.limit(from - windowStart + bytes).position(from - windowStart));
      window.clear();
      from += bytes;
    }
  }

  private boolean matches(int position, long sequence) throws IOException {
    if (!isAvailable(position, FrameFormat.FRAME_HEADER_BYTES)) {
      return false;
    }
    int at = position - windowStart;
    int length = FrameFormat.length(window, at);
    frameLength = length;
    return length >= FrameFormat.FRAME_HEADER_BYTES
        && length <= bound - position
        && FrameFormat.sequence(window, at) == sequence
        && FrameFormat.level(window, at) < FrameFormat.LEVELS
        && isChecksumRight(position, length, FrameFormat.expectedChecksum(window, at));
  }

  private boolean isChecksumRight(int position, int length, int expected) throws IOException {
    format.beginChecksum(length);
    int from = position + FrameFormat.checksumFrom();
    int end = position + length;
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
  private boolean isAvailable(int position, int bytes) throws IOException {
    if (bytes > bound - position) {
      return false;
    }
    if (position < windowStart || position + bytes > windowStart + windowBytes) {
      windowBytes = 0; // stays so if reading fails
      windowStart = position;
      windowBytes = fill(file, window, position, Math.min(window.capacity(), bound - position));
    }
    return bytes <= windowBytes;
  }

  private static int fill(DiskFile file, ByteBuffer buffer, int position, int bytes)
      throws IOException {
    buffer.clear().limit(bytes);
    try {
      while (buffer.hasRemaining()) {
        if (file.read(buffer, position + buffer.position()) <= 0) {
          break;
        }
      }
      return buffer.position();
    } finally {
      buffer.clear();
    }
  }
}
