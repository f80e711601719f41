package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.identity.LogNote;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Spools of small records: what tests put into them, find in them and do to their files. */
final class Spools {
  static final int INFO = 2;

  /** Segments of 256 bytes, for six of the {@link #text texts} each. */
  static final SpoolLimits LIMITS = new SpoolLimits(1 << 20, 256);

  static final int PAYLOAD = 16;

  private Spools() {}

  static SpoolDirectory open(Disk disk, Path base) throws IOException {
    return SpoolDirectory.open(disk, base, LogIdentity.of(disk, Path.of("app.log")));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static SpoolWriter.Outcome append(Spool spool, String text) {
    byte[] payload = bytes(text);
    return spool.writer().append(payload, 0, payload.length, INFO);
  }

  /** Appends the texts of these records, each in a flush of its own. */
  static void fill(Spool spool, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      assertThat(append(spool, text(i))).isEqualTo(SpoolWriter.Outcome.ADDED);
      spool.writer().flush();
    }
  }

  /** Records 0 to 17 in three segments, 32 bytes apart from offset 64 on. */
  static void fill(Spool spool) throws IOException {
    fill(spool, 0, 18);
    assertThat(segments(spool.path())).hasSize(3);
  }

  /** Payloads of equal length, so that frames are 32 bytes. */
  static String text(int i) {
    return String.format("record %05d", i);
  }

  static List<String> texts(int from, int to) {
    return IntStream.range(from, to).mapToObj(Spools::text).toList();
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

  static List<byte[]> payloads(RecordBatch batch) {
    List<byte[]> payloads = new ArrayList<>();
    ByteBuffer all = batch.payload();
    for (int i = 0; i < batch.count(); i++) {
      byte[] payload = new byte[batch.byteCount(i + 1) - batch.byteCount(i)];
      all.get(payload);
      payloads.add(payload);
    }
    assertThat(all.hasRemaining()).isFalse();
    return payloads;
  }

  static List<String> texts(RecordBatch batch) {
    return payloads(batch).stream().map(one -> new String(one, StandardCharsets.UTF_8)).toList();
  }

  /** Everything there is, records as their text and gaps as "gap first+count". */
  static List<String> drain(RecordSource source) throws IOException {
    List<String> all = new ArrayList<>();
    RecordBatch batch = new RecordBatch(1 << 20);
    while (true) {
      MissingRecords gap = source.read(batch, Long.MAX_VALUE);
      if (gap == null && batch.count() == 0) {
        return all;
      }
      if (gap != null) {
        all.add("gap " + gap.fromSequence() + "+" + gap.count());
      }
      all.addAll(texts(batch));
    }
  }

  static RecordSource orphan(SpoolDirectory directory) throws IOException {
    List<RecordSource> orphans = directory.orphans(SpoolNames.SPOOL);
    assertThat(orphans).hasSize(1);
    return orphans.get(0);
  }

  static List<Path> segments(Path spool) throws IOException {
    try (Stream<Path> entries = Files.list(spool)) {
      return entries.filter(path -> path.toString().endsWith(".seg")).sorted().toList();
    }
  }

  static List<String> names(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  /** Bytes of all files but the note, which is no part of the spool's limit. */
  static long sizeOf(Path directory) throws IOException {
    long bytes = 0;
    for (String name : names(directory)) {
      bytes += name.equals(LogNote.NAME) ? 0 : Files.size(directory.resolve(name));
    }
    return bytes;
  }

  static void flip(Path file, int offset) throws IOException {
    byte[] all = Files.readAllBytes(file);
    all[offset] ^= 0x55;
    Files.write(file, all);
  }

  static void write(Path file, int offset, byte[] bytes) throws IOException {
    try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
      channel.position(offset).write(ByteBuffer.wrap(bytes));
    }
  }
}
