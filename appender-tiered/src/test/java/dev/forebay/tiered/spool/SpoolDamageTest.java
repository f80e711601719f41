package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Damage.PAYLOAD;
import static dev.forebay.tiered.spool.Damage.flip;
import static dev.forebay.tiered.spool.Damage.text;
import static dev.forebay.tiered.spool.Damage.texts;
import static dev.forebay.tiered.spool.Spools.drain;
import static dev.forebay.tiered.spool.Spools.segments;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.MemoryDisk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What damage costs, in the spool of a dead process and in one that is being written, and what is
 * said of it; {@link AnyDamageTest} has more of its kinds.
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
    spool = directory.createSpool(Damage.LIMITS);
    Damage.fill(spool);
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

  /** The spool of the dead process as it is on a disk in memory. */
  private SpoolDirectory inMemory(MemoryDisk memory) throws IOException {
    spool.close();
    memory.createDirectory(base);
    SpoolDirectory copy = Spools.open(memory, base);
    Path home = copy.path().resolve(spool.path().getFileName());
    memory.createDirectory(home);
    for (String name : Spools.names(spool.path())) {
      memory.put(home.resolve(name), Files.readAllBytes(spool.path().resolve(name)));
    }
    return copy;
  }

  @Test
  void anyDamagedByteCostsAtMostItsRecord() throws IOException {
    MemoryDisk memory = new MemoryDisk();
    SpoolDirectory copy = inMemory(memory);
    for (int at = 0; at < 3 * 256; at++) {
      int offset = at % 256;
      Path real = List.of(first, second, third).get(at / 256);
      Path segment = copy.path().resolve(spool.path().getFileName()).resolve(real.getFileName());
      byte[] whole = Files.readAllBytes(real);
      for (int bits : new int[] {0x01, 0x80, 0xFF}) {
        byte[] damaged = whole.clone();
        damaged[offset] ^= (byte) bits;
        memory.put(segment, damaged);
        try (RecordSource damagedOrphan = Spools.orphan(copy)) {
          assertThat(drain(damagedOrphan))
              .as("byte %d of %s, bits %x", offset, segment, bits)
              .isEqualTo(whatDamageLeaves(6 * (at / 256) + offset / 32 - 2, offset));
        }
      }
      memory.put(segment, whole);
    }
  }

  private static List<String> whatDamageLeaves(int record, int offset) {
    if (offset < 64 || offset % 32 >= PAYLOAD + text(0).length()) {
      return texts(0, 18); // in a header, or in what fills a frame up
    } else if (record == 17) {
      return texts(0, 17); // after the last record nothing shows that it existed
    }
    return texts("0-" + record, "gap " + record + "+1", (record + 1) + "-18");
  }

  @Test
  void aTornEndIsTheEndWhereverItIsTorn() throws IOException {
    for (int size = 255; size >= 64; size--) {
      Files.write(third, Arrays.copyOf(Files.readAllBytes(third), size));
      int records = 12 + (size - 64 + 32 - PAYLOAD - text(0).length()) / 32;
      assertThat(readOrphan()).as("%d bytes", size).isEqualTo(texts(0, records));
      assertThat(orphan.limitSequence()).isEqualTo(records);
      orphan.close();
    }
    assertThat(directory.takeWarnings()).isEmpty();
  }

  @Test
  void aDamagedHeaderIsReportedAndCostsNothing() throws IOException {
    for (int offset : new int[] {0, 8, 12, 16, 32, 40, 50, 60}) {
      flip(second, offset);
      assertThat(readOrphan()).as("offset %d", offset).isEqualTo(texts(0, 18));
      orphan.close();
      flip(second, offset);
    }
    assertThat(directory.takeWarnings()).singleElement().asString().contains("header is damaged");
  }

  @Test
  void aSegmentOfAnotherSpoolIsAGap() throws IOException {
    Spool other = directory.createSpool(Damage.LIMITS);
    Damage.fill(other);
    Files.write(second, Files.readAllBytes(segments(other.path()).get(1)));

    assertThat(readOrphan()).isEqualTo(texts("0-6", "gap 6+6", "12-18"));
    assertThat(directory.takeWarnings()).singleElement().asString().contains("does not match");
    other.close();
  }

  @Test
  void anOversizeSegmentIsNotReadBeyondItsSize() throws IOException {
    Files.write(second, new byte[100_000], StandardOpenOption.APPEND);

    assertThat(readOrphan()).isEqualTo(texts(0, 18));
    assertThat(directory.takeWarnings())
        .singleElement()
        .asString()
        .contains("100256 bytes, required: at most 256");
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
  void anOrphanWithoutSegmentsAndLockIsEmpty() throws IOException {
    spool.close();
    for (Path file : List.of(first, second, third, spool.path().resolve("lock"))) {
      Files.delete(file);
    }

    assertThat(readOrphan()).isEmpty();
    assertThat(orphan.limitSequence()).isZero();
    orphan.discard();
    assertThat(Spools.names(directory.path())).isEmpty();
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

    assertThat(directory.orphans(null)).isEmpty();
    assertThat(directory.orphans(null)).isEmpty();

    assertThat(directory.takeWarnings())
        .singleElement()
        .asString()
        .contains("format version 2, required: 1");
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
  void staleFramesOfARecycledSegmentAreNotRead() throws IOException {
    drain(spool.source());
    spool.source().release(18);
    Damage.append(spool, 18, 20);
    Path recycled = segments(spool.path()).get(0);
    assertThat(Files.size(recycled)).isEqualTo(256); // old frames after the two new ones

    assertThat(readOrphan()).isEqualTo(texts("gap 0+18", "18-20"));
    assertThat(orphan.limitSequence()).isEqualTo(20);
  }

  @Test
  void aLivingSpoolReadsOnAfterDamageInTheSegmentBeingWritten() throws IOException {
    Damage.append(spool, 18, 19);
    flip(third, 64 + 4 * 32 + PAYLOAD);
    flip(third, 64 + 5 * 32 + PAYLOAD);
    flip(segments(spool.path()).get(3), 64 + PAYLOAD);
    assertThat(drain(spool.source())).isEqualTo(texts("0-16", "gap 16+2", "gap 18+1"));

    Damage.append(spool, 19, 21);

    assertThat(drain(spool.source())).isEqualTo(texts(19, 21));
  }

  @Test
  void missingAndDamagedSegmentsOfALivingSpoolAreNotRecycled() throws IOException {
    flip(first, 64 + PAYLOAD);
    Files.delete(second);
    assertThat(drain(spool.source())).isEqualTo(texts("gap 0+1", "1-6", "gap 6+6", "12-18"));

    spool.source().release(18);

    assertThat(spool.usedBytes()).isEqualTo(256); // the third, as a spare
  }

  private List<String> readOrphan() throws IOException {
    adopt();
    return drain(orphan);
  }

  private void adopt() throws IOException {
    spool.close();
    orphan = Spools.orphan(directory);
  }
}
