package dev.forebay.tiered.spool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * Something that happens to a segment of a spool. Numbers are taken modulo what there is, so that
 * any of them are good.
 *
 * @param which the segment
 * @param at the byte or frame
 * @param count how many bytes, or another frame
 * @param seed for noise
 */
public record RandomDamage(Kind kind, int which, int at, int count, int seed) {
  private static final int HEADER = 64;

  public enum Kind {
    FLIP,
    ZERO,
    NOISE,
    HEADER,
    TRUNCATE,
    EMPTY,
    REMOVE,
    NOISE_SEGMENT,
    EXTEND,
    INSERT,
    DELETE,
    /** Frames where they do not belong. */
    DUPLICATE_FRAME,
    OVERWRITE_BY_FRAME,
    OLD_FRAMES_BEHIND
  }

  /** At most four. */
  public static Arbitrary<List<RandomDamage>> few() {
    return Combinators.combine(
            Arbitraries.of(Kind.values()),
            Arbitraries.integers().between(0, 20),
            Arbitraries.integers().between(0, 1023),
            Arbitraries.integers().between(0, 200),
            Arbitraries.integers())
        .as(RandomDamage::new)
        .list()
        .ofMaxSize(4);
  }

  private record Frame(int at, int length) {
    int end() {
      return at + (length + 7) / 8 * 8;
    }
  }

  public void applyTo(Path spool) {
    try {
      List<Path> segments = Spools.segments(spool);
      if (!segments.isEmpty()) {
        applyTo(segments.get(which % segments.size()), segments.get(0));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void applyTo(Path segment, Path firstSegment) throws IOException {
    if (kind == Kind.REMOVE) {
      Files.delete(segment);
    } else {
      byte[] first = Files.readAllBytes(firstSegment);
      Files.write(segment, changed(Files.readAllBytes(segment), first));
    }
  }

  private byte[] changed(byte[] bytes, byte[] firstSegment) {
    Random random = new Random(seed);
    int from = bytes.length == 0 ? 0 : at % bytes.length;
    int to = Math.min(bytes.length, from + count);
    byte[] noise = new byte[kind == Kind.NOISE_SEGMENT ? bytes.length : count];
    random.nextBytes(noise);
    byte[] behind = cut(bytes, to, bytes.length);
    return switch (kind) {
      case FLIP -> flipped(bytes, from);
      case HEADER -> flipped(bytes, from % HEADER);
      case ZERO -> joined(cut(bytes, 0, from), new byte[to - from], behind);
      case NOISE -> joined(cut(bytes, 0, from), cut(noise, 0, to - from), behind);
      case NOISE_SEGMENT -> noise;
      case TRUNCATE -> cut(bytes, 0, from);
      case EMPTY -> new byte[0];
      case EXTEND -> joined(bytes, noise);
      case INSERT -> joined(cut(bytes, 0, from), noise, cut(bytes, from, bytes.length));
      case DELETE -> joined(cut(bytes, 0, from), behind);
      case OLD_FRAMES_BEHIND -> joined(bytes, cut(firstSegment, HEADER, 1 << 20));
      default -> withFrames(bytes);
    };
  }

  private byte[] flipped(byte[] bytes, int index) {
    if (index < bytes.length) {
      bytes[index] ^= (byte) (seed | 1);
    }
    return bytes;
  }

  private byte[] withFrames(byte[] bytes) {
    List<Frame> frames = frames(bytes);
    if (frames.isEmpty()) {
      return bytes;
    }
    Frame one = frames.get(at % frames.size());
    Frame two = frames.get(count % frames.size());
    byte[] copy = cut(bytes, one.at, one.end());
    return switch (kind) {
      case DUPLICATE_FRAME ->
          joined(cut(bytes, 0, two.end()), copy, cut(bytes, two.end(), bytes.length));
      case OVERWRITE_BY_FRAME ->
          joined(cut(bytes, 0, two.at), copy, cut(bytes, two.at + copy.length, bytes.length));
      default -> throw new IllegalStateException("kind " + kind);
    };
  }

  /** The frames that follow each other from the beginning on, by their lengths and sequences. */
  private static List<Frame> frames(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    List<Frame> frames = new ArrayList<>();
    long expected = bytes.length < HEADER ? 0 : buffer.getLong(32);
    for (int at = HEADER; at + 16 <= bytes.length; ) {
      int length = buffer.getInt(at);
      long sequence = buffer.getLong(at + 8) & 0xFF_FFFF_FFFF_FFFFL;
      if (length < 16 || length > bytes.length - at || sequence != expected++) {
        break;
      }
      Frame frame = new Frame(at, length);
      frames.add(frame);
      at = frame.end();
    }
    return frames;
  }

  private static byte[] cut(byte[] bytes, int from, int to) {
    int end = Math.min(to, bytes.length);
    return from >= end ? new byte[0] : Arrays.copyOfRange(bytes, from, end);
  }

  private static byte[] joined(byte[]... parts) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
    for (byte[] part : parts) {
      all.put(part);
    }
    return all.array();
  }
}
