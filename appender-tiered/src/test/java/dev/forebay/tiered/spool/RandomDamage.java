package dev.forebay.tiered.spool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

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

  /** What happens. */
  public enum Kind {
    /** Bytes changed in place. */
    FLIP,
    ZERO,
    NOISE,
    HEADER,
    TRUNCATE,
    EMPTY,
    REMOVE,
    NOISE_SEGMENT,
    /** Bytes moved. */
    EXTEND,
    INSERT,
    DELETE,
    /** Frames where they do not belong. */
    SWAP_FRAMES,
    DUPLICATE_FRAME,
    OVERWRITE_BY_FRAME,
    FRAME_OF_ANOTHER,
    OLD_FRAMES_BEHIND,
    /** Impossible values under right checksums. */
    SEALED_LENGTH,
    SEALED_LEVEL,
    SEALED_HEADER,
    /** Other things at the segment's name, or beside it. */
    PIPE,
    LINK,
    DIRECTORY,
    OTHER_MODE,
    OVERSIZE,
    STRANGE_FILE;

    /** Those that leave all other bytes where they were. */
    static final List<Kind> IN_PLACE =
        List.of(FLIP, ZERO, NOISE, HEADER, TRUNCATE, EMPTY, REMOVE, NOISE_SEGMENT);
  }

  /** A frame within a file. */
  record Frame(int at, int length, long sequence) {
    int end() {
      return at + (length + 7) / 8 * 8;
    }
  }

  /** Does it. */
  public void applyTo(Path spool) {
    try {
      List<Path> segments = Spools.segments(spool);
      if (!segments.isEmpty()) {
        Path segment = segments.get(which % segments.size());
        if (Files.isRegularFile(segment, LinkOption.NOFOLLOW_LINKS)) {
          applyTo(segment, segments.get(0));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void applyTo(Path segment, Path firstSegment) throws IOException {
    switch (kind) {
      case REMOVE -> Files.delete(segment);
      case PIPE -> {
        Files.delete(segment);
        pipe(segment);
      }
      case LINK -> {
        Path target = segment.resolveSibling(segment.getFileName() + ".moved");
        Files.move(segment, target, StandardCopyOption.REPLACE_EXISTING);
        Files.createSymbolicLink(segment, target);
      }
      case DIRECTORY -> {
        Files.delete(segment);
        Files.createDirectory(segment);
      }
      case OTHER_MODE ->
          Files.setPosixFilePermissions(segment, PosixFilePermissions.fromString("rw-r--r--"));
      case OVERSIZE -> {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
          file.write(ByteBuffer.allocate(1), (16L << 20) + at);
        }
      }
      case STRANGE_FILE -> Files.write(segment.resolveSibling("strange-" + seed), new byte[count]);
      default -> {
        if (Files.size(segment) < 1 << 20) {
          byte[] old = Files.isRegularFile(firstSegment) ? head(firstSegment) : new byte[0];
          Files.write(segment, changed(Files.readAllBytes(segment), old));
        }
      }
    }
  }

  private static byte[] head(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return in.readNBytes(1 << 16);
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
      case SEALED_HEADER -> sealedHeader(bytes);
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
    Frame first = one.at < two.at ? one : two;
    Frame second = one.at < two.at ? two : one;
    byte[] copy = cut(bytes, one.at, one.end());
    return switch (kind) {
      case SWAP_FRAMES ->
          one.equals(two)
              ? bytes
              : joined(
                  cut(bytes, 0, first.at),
                  cut(bytes, second.at, second.end()),
                  cut(bytes, first.end(), second.at),
                  cut(bytes, first.at, first.end()),
                  cut(bytes, second.end(), bytes.length));
      case DUPLICATE_FRAME ->
          joined(cut(bytes, 0, two.end()), copy, cut(bytes, two.end(), bytes.length));
      case OVERWRITE_BY_FRAME ->
          joined(cut(bytes, 0, two.at), copy, cut(bytes, two.at + copy.length, bytes.length));
      case FRAME_OF_ANOTHER -> foreign(bytes, one);
      case SEALED_LENGTH -> sealed(bytes, one, bytes.length - one.at + 1 + (seed & 0x7FFF_FFF), 2);
      case SEALED_LEVEL -> sealed(bytes, one, one.length, 5 + (seed & 0x7F));
      default -> throw new IllegalStateException("kind " + kind);
    };
  }

  private byte[] foreign(byte[] bytes, Frame frame) {
    byte[] padded = Arrays.copyOf(bytes, bytes.length + 8); // it may be cut in its padding
    ByteBuffer buffer = ByteBuffer.wrap(padded).order(ByteOrder.LITTLE_ENDIAN);
    byte[] payload = new byte[frame.length - 16];
    new Random(seed).nextBytes(payload);
    new FrameFormat(new InstanceId(seed, seed))
        .putFrame(buffer, frame.at, payload, 0, payload.length, 2, frame.sequence);
    return Arrays.copyOf(padded, bytes.length);
  }

  /** A frame of our own with an impossible length or level and the checksum that goes with it. */
  private static byte[] sealed(byte[] bytes, Frame frame, int length, int level) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(frame.at, length);
    buffer.putLong(frame.at + 8, ((long) level << 56) | frame.sequence);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 16, 16);
    crc.update(bytes, frame.at, 4);
    crc.update(bytes, frame.at + 8, Math.min(length, bytes.length - frame.at) - 8);
    buffer.putInt(frame.at + 4, (int) crc.getValue());
    return bytes;
  }

  private byte[] sealedHeader(byte[] bytes) {
    if (bytes.length >= HEADER) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      buffer.putInt(8, FrameFormat.VERSION); // what is of another version is left alone
      switch (at % 3) {
        case 0 -> buffer.putInt(40, seed);
        case 1 -> buffer.putLong(32, seed);
        default -> buffer.putLong(16, seed);
      }
      CRC32C crc = new CRC32C();
      crc.update(bytes, 0, 60);
      buffer.putInt(60, (int) crc.getValue());
    }
    return bytes;
  }

  /** The frames that follow each other from the beginning on, by their lengths and sequences. */
  static List<Frame> frames(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    List<Frame> frames = new ArrayList<>();
    long expected = bytes.length < HEADER ? 0 : buffer.getLong(32);
    for (int at = HEADER; at + 16 <= bytes.length; ) {
      int length = buffer.getInt(at);
      long sequence = buffer.getLong(at + 8) & 0xFF_FFFF_FFFF_FFFFL;
      if (length < 16 || length > bytes.length - at || sequence != expected++) {
        break;
      }
      Frame frame = new Frame(at, length, sequence);
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

  private static void pipe(Path path) throws IOException {
    try {
      new ProcessBuilder("mkfifo", "-m", "600", path.toString()).start().waitFor();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
