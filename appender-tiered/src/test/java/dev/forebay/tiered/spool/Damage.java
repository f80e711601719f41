package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A spool made to be damaged, with segments of 256 bytes: records 0 to 17, six in each of three
 * segments, 32 bytes apart from offset 64 on.
 */
final class Damage {
  static final SpoolLimits LIMITS = new SpoolLimits(1 << 20, 256);

  /** Offsets within a frame. */
  static final int LENGTH = 0;

  static final int CRC = 4;
  static final int SEQUENCE = 8;
  static final int PAYLOAD = 16;

  private Damage() {}

  static void fill(Spool spool) throws IOException {
    append(spool, 0, 18);
    assertThat(Spools.segments(spool.path())).hasSize(3);
  }

  static void append(Spool spool, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      assertThat(Spools.append(spool, text(i))).isEqualTo(SpoolWriter.Outcome.ADDED);
      spool.writer().flush();
    }
  }

  /** Payloads of equal length, so that frames are 32 bytes. */
  static String text(int i) {
    return String.format("record %05d", i);
  }

  static List<String> texts(int from, int to) {
    List<String> texts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      texts.add(text(i));
    }
    return texts;
  }

  /** These parts: "0-6" stands for the texts of records 0 to 5, anything else for itself. */
  static List<String> texts(String... parts) {
    List<String> texts = new ArrayList<>();
    for (String part : parts) {
      String[] range = part.split("-", -1);
      if (part.matches("\\d+-\\d+")) {
        texts.addAll(texts(Integer.parseInt(range[0]), Integer.parseInt(range[1])));
      } else {
        texts.add(part);
      }
    }
    return texts;
  }

  static void flip(Path file, int offset) throws IOException {
    byte[] all = Files.readAllBytes(file);
    all[offset] ^= 0x55;
    Files.write(file, all);
  }

  static void putInt(Path file, int offset, int value) throws IOException {
    write(
        file, offset, ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array());
  }

  static void write(Path file, int offset, byte[] bytes) throws IOException {
    try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
      channel.position(offset).write(ByteBuffer.wrap(bytes));
    }
  }
}
