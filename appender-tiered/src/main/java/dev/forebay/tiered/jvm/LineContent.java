package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.spool.Segment;
import dev.forebay.tiered.spool.SegmentContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of the JVM's log, of which only those are asked for that their owner has counted.
 * Nothing shows which line follows a damaged one, so there is no search.
 */
final class LineContent implements SegmentContent {
  private final LineCutter lines = new LineCutter();
  private @Nullable Segment segment;

  @Override
  public @Nullable String begin(Segment next, DiskFile opened, long sizeBytes) {
    LineFile file = Objects.requireNonNull(LineFile.of(next.path));
    lines.begin(opened, file.isOurs() ? 0 : file.from());
    segment = next;
    return null;
  }

  @Override
  public int find(long sequence) throws IOException {
    long end = Objects.requireNonNull(segment).endSequence;
    return (end < 0 || sequence < end) && lines.next(true) ? lines.length() : -1;
  }

  @Override
  public void copyPayload(ByteBuffer target) {
    target.put(lines.bytes(), lines.start(), target.remaining());
  }

  @Override
  public void advance() {
    lines.consume();
  }

  @Override
  public long position() {
    return lines.offset();
  }

  /** A line of ours does. */
  @Override
  public boolean namesGaps() {
    return true;
  }
}
