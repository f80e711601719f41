package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Spools.PAYLOAD;
import static dev.forebay.tiered.spool.Spools.drain;
import static dev.forebay.tiered.spool.Spools.flip;
import static dev.forebay.tiered.spool.Spools.segments;
import static dev.forebay.tiered.spool.Spools.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What damage costs, in the spool of a dead process and in one that is being written, and what is
 * said of it; {@link SegmentFuzz} finds what any damage costs.
 */
@Tag("once")
class SpoolDamageTest {
  private final NioDisk disk = new NioDisk();
  @TempDir Path base;
  private SpoolDirectory directory;
  private Spool spool;
  private Path first;
  private Path second;
  private Path third;
  private RecordSource orphan;

  @BeforeEach
  void fillSpool() throws IOException {
    directory = Spools.open(disk, base);
    spool = directory.createSpool(Spools.LIMITS);
    Spools.fill(spool);
    List<Path> segments = segments(spool.path());
    first = segments.get(0);
    second = segments.get(1);
    third = segments.get(2);
  }

  @AfterEach
  void close() {
    if (orphan != null) {
      orphan.close();
    }
    spool.close();
  }

  @Test
  void aDamagedHeaderIsReportedAndCostsNothing() throws IOException {
    for (int offset : new int[] {0, 8, 12, 16, 32, 40, 50, 60}) {
      flip(second, offset);
      assertThat(readOrphan()).as("offset %d", offset).isEqualTo(texts(0, 18));
      orphan.close();
      flip(second, offset);
    }
    requireWarning("header is damaged");
  }

  @Test
  void aSegmentOfAnotherSpoolIsAGap() throws IOException {
    try (Spool other = directory.createSpool(Spools.LIMITS)) {
      Spools.fill(other);
      Files.write(second, Files.readAllBytes(segments(other.path()).get(1)));

      assertThat(readOrphan()).isEqualTo(texts("0-6", "gap 6+6", "12-18"));
      requireWarning("does not match");
    }
  }

  @Test
  void anOversizeSegmentIsNotReadBeyondItsSize() throws IOException {
    Files.write(second, new byte[100_000], StandardOpenOption.APPEND);

    assertThat(readOrphan()).isEqualTo(texts(0, 18));
    requireWarning("100256 bytes, required: at most 256");
  }

  private void requireWarning(String part) {
    assertThat(directory.takeWarnings()).singleElement().asString().contains(part);
  }

  @Test
  void foreignFilesAreReportedAndIgnored() throws IOException {
    for (String name : List.of("core\n.dump", "0000000000000006.SEG", "ffffffffffffffff.seg")) {
      Files.writeString(spool.path().resolve(name), "x");
    }

    assertThat(readOrphan()).isEqualTo(texts(0, 18));
    assertThat(directory.takeWarnings())
        .hasSize(3)
        .allMatch(warning -> warning.endsWith("not a file of a spool"))
        .anyMatch(warning -> warning.contains("core?.dump"));
  }

  @Test
  void anotherFormatVersionIsLeftAlone() throws IOException {
    ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(first), 0, 64);
    header.order(ByteOrder.LITTLE_ENDIAN).putInt(8, 2).putInt(12, 128);
    CRC32C crc = new CRC32C();
    crc.update(header.array(), 0, 60);
    header.putInt(60, (int) crc.getValue());
    Files.write(first, header.array());
    spool.close();

    assertThat(directory.orphans(SpoolNames.SPOOL)).isEmpty();
    assertThat(directory.orphans(SpoolNames.SPOOL)).isEmpty();

    requireWarning("format version 2, required: 1");
    assertThat(segments(spool.path())).hasSize(3);
  }

  /** As a segment with a damaged place in every 4,000 bytes has: each gap is looked for once. */
  @Test
  void manyGapsAreReadInOnePass() throws IOException {
    spool.discard();
    spool = directory.createSpool(new SpoolLimits(64 << 20, 4 << 20));
    byte[] payload = new byte[80];
    for (int i = 0; i < 30_000; i++) {
      spool.writer().append(payload, 0, payload.length, 2);
    }
    spool.writer().flush();
    spool.close();
    Path segment = segments(spool.path()).get(0);
    byte[] bytes = Files.readAllBytes(segment);
    for (int at = 464; at < bytes.length; at += 4000) {
      bytes[at] ^= 0x55;
    }
    Files.write(segment, bytes);
    FaultyDisk patient = new FaultyDisk(disk).affecting(segment::equals);
    patient.failFrom(Op.READ, 4000, () -> new IOException("too many"));

    RecordBatch batch = new RecordBatch(1 << 20);
    long records = 0;
    orphan = Spools.orphan(Spools.open(patient, base));
    while (records < 30_000) {
      MissingRecords missing = orphan.read(batch, 1 << 18);
      records += missing == null ? batch.count() : missing.count();
    }
    assertThat(records).isEqualTo(30_000);
  }

  @Test
  void aLivingSpoolReadsOnAfterDamageInTheSegmentBeingWritten() throws IOException {
    Spools.fill(spool, 18, 19);
    flip(third, 64 + 4 * 32 + PAYLOAD);
    flip(third, 64 + 5 * 32 + PAYLOAD);
    flip(segments(spool.path()).get(3), 64 + PAYLOAD);
    assertThat(drain(spool.source())).isEqualTo(texts("0-16", "gap 16+2", "gap 18+1"));

    Spools.fill(spool, 19, 21);

    assertThat(drain(spool.source())).isEqualTo(texts(19, 21));
  }

  private List<String> readOrphan() throws IOException {
    spool.close();
    orphan = Spools.orphan(directory);
    return drain(orphan);
  }
}
