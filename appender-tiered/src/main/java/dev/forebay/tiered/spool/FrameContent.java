package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads and validates frames. A length read from a file is checked against the file's bounds before
 * use, and nothing is allocated. Each frame has its own checksum, so a damaged header is no end.
 */
final class FrameContent implements SegmentContent {
  /** Bytes read at once until more is there: most logs are idle. */
  private static final int SMALL_BYTES = 16 * 1024;

  private final InstanceId instance;
  private final FrameFormat format;

  /** A part of the file, as it was when last read. */
  private ByteBuffer window;

  /** Its own window, while a larger one is lent to it; otherwise null. */
  private @Nullable ByteBuffer small;

  /** Whether it may borrow one. */
  private boolean mayBorrow;

  private int windowStart;
  private int windowBytes;

  private @Nullable Segment segment;
  private @Nullable DiskFile file;

  /** The end of the part of the file that may have frames. */
  private int bound;

  private int position;

  // The size of the record found last: its length in the file may have changed since.

  private int payloadBytes;
  private int nextPosition;

  /** With this window always. */
  FrameContent(InstanceId instance, ByteBuffer window) {
    this.instance = instance;
    this.format = new FrameFormat(instance);
    this.window = window;
  }

  /** With a small window until more is there, for one of few spools. */
  static FrameContent live(InstanceId instance) {
    return small(instance, FrameFormat.directBuffer(SMALL_BYTES));
  }

  /** The same for one of thousands: memory outside the heap is freed late. */
  static FrameContent orphan(InstanceId instance) {
    return small(instance, FrameFormat.of(new byte[SMALL_BYTES]));
  }

  private static FrameContent small(InstanceId instance, ByteBuffer window) {
    FrameContent content = new FrameContent(instance, window);
    content.mayBorrow = true;
    return content;
  }

  @Override
  public @Nullable String begin(Segment next, DiskFile opened, long sizeBytes) throws IOException {
    windowBytes = 0;
    segment = next;
    file = opened;
    position = FrameFormat.SEGMENT_HEADER_BYTES;
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
    bound = FrameFormat.endOfFrames(bytes);
    return fault;
  }

  /** Reads the header of a file into a buffer; false if it is damaged or incomplete. */
  static boolean readHeader(DiskFile file, ByteBuffer buffer) throws IOException {
    int bytes = FrameFormat.SEGMENT_HEADER_BYTES;
    return fill(file, buffer, 0, bytes) == bytes && FrameFormat.isHeader(buffer);
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public int find(long sequence) throws IOException {
    if (!matches(position, sequence)) {
      windowBytes = 0; // the writer may have added the frame since the window was read
      return matches(position, sequence) ? payloadBytes : -1;
    }
    return payloadBytes;
  }

  @Override
  public void advance() {
    position = nextPosition;
  }

  @Override
  public long search(long low, long high) throws IOException {
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

  @Override
  public void copyPayload(ByteBuffer target) throws IOException {
    int from = position + FrameFormat.FRAME_HEADER_BYTES;
    while (target.hasRemaining()) {
      int bytes = Math.min(target.remaining(), window.capacity());
      if (!isAvailable(from, bytes)) {
        throw new IOException(
            Objects.requireNonNull(segment).path + " was truncated while being read");
      }
      target.put(window.limit(from - windowStart + bytes).position(from - windowStart));
      window.clear();
      from += bytes;
    }
  }

  /** Those that are whole in the window. Few and short methods, since most of the time is here. */
  @Override
  public int copyMany(RecordBatch batch, long sequence, long end, long maxBytes) {
    long next = sequence;
    while (next < end && batch.byteCount() < maxBytes && copyOne(batch, next)) {
      next++;
    }
    return (int) (next - sequence);
  }

  /**
   * A branch that is rare at first, and not later, has the compiler begin anew: so there is none.
   */
  private boolean copyOne(RecordBatch batch, long sequence) {
    int at = position - windowStart;
    int left = windowBytes - at;
    if (at < 0 || left < FrameFormat.FRAME_HEADER_BYTES) {
      return false;
    }
    int length = FrameFormat.length(window, at);
    int bytes = length - FrameFormat.FRAME_HEADER_BYTES;
    long misfit = bytes | left - length | FrameFormat.misfit(window, at, sequence);
    if (misfit < 0
        || !format.isChecksumRight(window, at, length)
        || !batch.addFrom(window, at + FrameFormat.FRAME_HEADER_BYTES, bytes, sequence)) {
      return false;
    }
    position += FrameFormat.stride(length);
    return true;
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
      widen(bytes);
      windowBytes = 0; // stays so if reading fails
      windowStart = start;
      windowBytes = fill(open, window, start, Math.min(window.capacity(), bound - start));
    }
    return bytes <= windowBytes;
  }

  /** Borrows the larger window if the last read filled the small one, or will. */
  private void widen(int bytes) {
    if (mayBorrow && Math.max(windowBytes, bytes) == window.capacity()) {
      ByteBuffer lent = LargeBuffers.borrow();
      mayBorrow = false;
      if (lent.isDirect()) { // or there is no memory for it
        small = window;
        window = lent;
      }
    }
  }

  @Override
  public void rest() {
    ByteBuffer own = small;
    if (own != null) {
      ByteBuffer lent = window;
      windowBytes = 0;
      window = own;
      small = null;
      mayBorrow = true;
      LargeBuffers.giveBack(lent);
    }
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
