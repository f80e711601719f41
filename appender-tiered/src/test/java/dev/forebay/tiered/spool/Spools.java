package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the tests of this package do with spools again and again. */
final class Spools {
  static final int INFO = 2;

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

  /** Appends "record 0", "record 1" … each in a flush of its own. */
  static void fill(Spool spool, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      assertThat(append(spool, "record " + i)).isEqualTo(SpoolWriter.Outcome.ADDED);
      spool.writer().flush();
    }
  }

  static List<String> records(int from, int to) {
    List<String> records = new ArrayList<>();
    for (int i = from; i < to; i++) {
      records.add("record " + i);
    }
    return records;
  }

  static List<String> texts(RecordSource source, RecordBatch batch) throws IOException {
    List<String> texts = new ArrayList<>();
    ByteBuffer payload = batch.payload();
    for (int i = 0; i < batch.count(); i++) {
      byte[] record = new byte[batch.byteCount(i + 1) - batch.byteCount(i)];
      payload.get(record);
      texts.add(new String(record, StandardCharsets.UTF_8));
    }
    return texts;
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
      all.addAll(texts(source, batch));
    }
  }

  /** The only orphan. */
  static RecordSource orphan(SpoolDirectory directory) throws IOException {
    List<RecordSource> orphans = directory.orphans(null);
    assertThat(orphans).hasSize(1);
    return orphans.get(0);
  }

  /** Segment files of a spool, in order. */
  static List<Path> segments(Path spool) throws IOException {
    try (Stream<Path> entries = Files.list(spool)) {
      return entries.filter(path -> path.toString().endsWith(".seg")).sorted().toList();
    }
  }

  /** Sequence of the first record that is still present; the limit when none is. */
  static long firstSequence(RecordSource source) throws IOException {
    List<Path> segments = segments(source.path());
    return segments.isEmpty()
        ? source.limitSequence()
        : SpoolNames.firstSequence(SpoolNames.of(segments.get(0)));
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
}
