package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts records into a spool. For the flusher's thread only, except {@link #publishedSequence}.
 *
 * <p>Records are collected in a staging buffer and written by {@link #flush}, or earlier when the
 * buffer is full. When the file system refuses, nothing is lost: the bytes stay staged, {@link
 * #append} says {@code FULL}, and the next flush continues at the exact byte.
 */
public final class SpoolWriter {
  private static final int STAGING_BYTES = 64 * 1024;

  /** What a typical record needs; a segment with less room is left. */
  private static final int SMALL_PAYLOAD_BYTES = 1024;

  /** A small segment is not left for less than this part of it. */
  private static final int SMALL_PART = 16;

  private final Disk disk;
  private final SegmentPool pool;
  private final FrameFormat format;
  private final int endOfFrames;
  private final int maxPayloadBytes;
  private final long smallFrameBytes;

  private final ByteBuffer regularStaging;

  /** The regular one, or one for a single larger frame. */
  private ByteBuffer staging;

  /** Staged bytes: before {@code staged}; of these in the file: before {@code written}. */
  private int staged;

  private int written;

  /** Where in the staging buffer the first record starts that is not published. */
  private int unpublished;

  /** The segment being written; null before the first and after a full one. */
  private @Nullable Segment segment;

  /** Its file, opened when needed. */
  private @Nullable DiskFile file;

  /** Position in the file of the first staged byte that is not written. */
  private int fileEnd;

  private long nextSequence;

  /** Written after the write of the records below it returned; read by the shipper's thread. */
  private volatile long publishedSequence;

  /** Whether the file system refused something and no flush has succeeded since. */
  private boolean isFailing;

  private boolean isClosed;

  /** Set for good when somebody has removed the file being written; read by any thread. */
  private volatile boolean isFileGone;

  SpoolWriter(Disk disk, SegmentPool pool, InstanceId instance, SpoolLimits limits) {
    this(disk, pool, instance, limits, STAGING_BYTES);
  }

  /** With less memory, for stress tests that need many. */
  SpoolWriter(
      Disk disk, SegmentPool pool, InstanceId instance, SpoolLimits limits, int stagingBytes) {
    this.disk = disk;
    this.pool = pool;
    this.format = new FrameFormat(instance);
    this.regularStaging = FrameFormat.directBuffer(stagingBytes);
    this.staging = regularStaging;
    this.endOfFrames = FrameFormat.endOfFrames(limits.segmentBytes());
    this.maxPayloadBytes = FrameFormat.maxPayloadBytes(limits.segmentBytes());
    this.smallFrameBytes =
        FrameFormat.frameBytes(Math.min(SMALL_PAYLOAD_BYTES, maxPayloadBytes / SMALL_PART));
  }

  /** What became of a record. */
  public enum Outcome {
    /** It is staged or written. */
    ADDED,
    /**
     * It was not taken: the cap is reached, or the file system refuses; {@link #flush} then throws
     * the reason.
     */
    FULL,
    /** It was not taken and never will be: it is longer than {@link #maxPayloadBytes}. */
    TOO_LARGE
  }

  /**
   * Takes one record. May write to the file system; never throws for its failures.
   *
   * @param length of the payload, may be 0
   * @param level 0 (TRACE) to 4 (ERROR)
   */
  public Outcome append(byte[] payload, int offset, int length, int level) {
    Objects.checkFromIndexSize(offset, length, payload.length);
    Objects.checkIndex(level, FrameFormat.LEVELS);
    if (length > maxPayloadBytes) {
      return Outcome.TOO_LARGE;
    }
    int frameBytes = (int) FrameFormat.frameBytes(length);
    if (!hasRoomFor(frameBytes)) {
      return Outcome.FULL;
    }
    format.putFrame(staging, staged, payload, offset, length, level, nextSequence);
    staged += frameBytes;
    nextSequence++;
    return Outcome.ADDED;
  }

  /**
   * Writes what is staged and publishes it to the reader. To be called after every batch, and while
   * {@link #isReady} is false from time to time, because only a flush finds out that the file
   * system works again.
   */
  public void flush() throws IOException {
    if (isClosed) {
      throw new IOException("the spool is closed");
    }
    writeStaged();
    if (segment != null && roomInSegment() < smallFrameBytes) {
      leaveSegment();
    }
    if (isFailing && segment == null) {
      openSegment();
    }
    isFailing = false;
  }

  /**
   * Whether {@link #append} would take a small record, and the one it refused last. False at the
   * cap until the reader releases a segment, and after a failure until a flush succeeds.
   */
  public boolean isReady() {
    if (isFailing) {
      return false;
    }
    return (segment != null && roomInSegment() >= smallFrameBytes) || pool.hasRoom();
  }

  /** Sequence of the next record; the number of records added so far. */
  public long nextSequence() {
    return nextSequence;
  }

  /** Records below this sequence are written and readable. For any thread. */
  public long publishedSequence() {
    return publishedSequence;
  }

  /** Length of the largest record a segment can hold. */
  public int maxPayloadBytes() {
    return maxPayloadBytes;
  }

  /** Whether a file was found missing that records should go to. For any thread. */
  boolean isFileGone() {
    return isFileGone;
  }

  /** Ends the writing; what is staged and not flushed is gone. */
  void close() {
    isClosed = true;
    isFailing = true;
    closeFile();
  }

  private boolean hasRoomFor(int frameBytes) {
    if (isFailing) {
      return false;
    }
    try {
      if (segment == null || roomInSegment() < frameBytes) {
        writeStaged();
        leaveSegment();
        if (!openSegment()) {
          return false;
        }
      }
      if (staging.capacity() - staged < frameBytes) {
        writeStaged();
        if (staging.capacity() < frameBytes) {
          staging = FrameFormat.directBuffer(frameBytes);
        }
      }
      return true;
    } catch (IOException e) {
      isFailing = true; // the next flush meets the same failure and throws it
      return false;
    }
  }

  private int roomInSegment() {
    return endOfFrames - fileEnd - (staged - written);
  }

  private void writeStaged() throws IOException {
    try {
      while (written < staged) {
        int count = openFile().write(staging.limit(staged).position(written), fileEnd);
        if (count <= 0) {
          throw new IOException("no progress writing " + (staged - written) + " bytes");
        }
        written += count;
        fileEnd += count;
      }
    } catch (IOException e) {
      isFailing = true;
      publishWhole();
      closeFile(); // an interrupt may have closed it behind our back
      throw e;
    } finally {
      staging.clear();
    }
    publishedSequence = nextSequence;
    staged = 0;
    written = 0;
    unpublished = 0;
    staging = regularStaging;
  }

  /** Publishes the records that are completely in the file although not all of them are. */
  private void publishWhole() {
    long published = publishedSequence;
    while (unpublished < written) {
      int length = FrameFormat.length(staging, unpublished);
      if (unpublished + length > written) {
        break;
      }
      unpublished += FrameFormat.stride(length); // padding need not be there to be read
      published++;
    }
    publishedSequence = published;
  }

  private DiskFile openFile() throws IOException {
    DiskFile open = file;
    if (open == null) {
      Segment current = segment;
      if (current == null) {
        throw new IllegalStateException("records staged without a segment");
      }
      try {
        open = disk.open(current.path, Disk.Mode.UPDATE);
      } catch (NoSuchFileException e) {
        isFileGone = true;
        throw e;
      }
      file = open;
    }
    return open;
  }

  /** Everything staged is written by now. */
  private void leaveSegment() {
    if (segment != null) {
      closeFile();
      segment.endSequence = nextSequence;
      segment = null;
    }
  }

  private boolean openSegment() throws IOException {
    Segment opened = pool.open(nextSequence);
    segment = opened;
    fileEnd = FrameFormat.SEGMENT_HEADER_BYTES;
    return opened != null;
  }

  private void closeFile() {
    DiskFile open = file;
    file = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // What a write accepted has been counted; the reader's checksums tell if it was a lie.
      }
    }
  }
}
