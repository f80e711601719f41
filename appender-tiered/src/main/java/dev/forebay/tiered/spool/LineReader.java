package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads a segment that is a file of the JVM's log: its records are lines. Only those that its owner
 * has counted are asked for.
 */
final class LineReader extends SegmentReader {
  private final LineCutter lines = new LineCutter();

  private LineReader(Context context, Segment segment, DiskFile file) {
    super(segment, file, context.format(), Integer.MAX_VALUE, context.window());
    lines.begin(file, segment.linesFrom);
  }

  /** Reads an open file. */
  static SegmentReader of(Context context, Segment segment, DiskFile file) {
    return new LineReader(context, segment, file);
  }

  @Override
  int firstPosition() {
    return segment().linesFrom;
  }

  @Override
  boolean isFrame(int position, long sequence) throws IOException {
    long end = segment().endSequence;
    if (end >= 0 && sequence >= end) {
      return false;
    }
    lines.seek(position);
    return lines.next(true);
  }

  /** Nothing tells which line follows a damaged place. */
  @Override
  boolean search(int damage, long low, long high) {
    return false;
  }

  @Override
  int payloadBytes() {
    return lines.length();
  }

  @Override
  int positionAfter(int position) {
    return position + lines.length();
  }

  @Override
  void copyPayload(int position, ByteBuffer target) {
    target.put(lines.bytes(), lines.start(), target.remaining());
  }
}
