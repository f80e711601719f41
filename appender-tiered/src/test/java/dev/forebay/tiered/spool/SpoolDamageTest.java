package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Damage.CRC;
import static dev.forebay.tiered.spool.Damage.LENGTH;
import static dev.forebay.tiered.spool.Damage.PAYLOAD;
import static dev.forebay.tiered.spool.Damage.SEQUENCE;
import static dev.forebay.tiered.spool.Damage.flip;
import static dev.forebay.tiered.spool.Damage.putInt;
import static dev.forebay.tiered.spool.Damage.text;
import static dev.forebay.tiered.spool.Damage.texts;
import static dev.forebay.tiered.spool.Damage.write;
import static dev.forebay.tiered.spool.Spools.drain;
import static dev.forebay.tiered.spool.Spools.fill;
import static dev.forebay.tiered.spool.Spools.segments;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every kind of damage to the spool of a dead process, one test each. */
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
    spool = directory.createSpool(new SpoolLimits(1 << 20, 256));
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

  @Test
  void nothingDamagedNothingLost() throws IOException {
    assertThat(readOrphan()).isEqualTo(texts(0, 18));
    assertThat(directory.takeWarnings()).isEmpty();
  }

  /** By others, after it was taken over. */
  @Test
  void aSegmentThatBecomesAFullDirectoryCostsItsRecords() throws IOException {
    spool.close();
    orphan = Spools.orphan(directory);
    Files.delete(first);
    Files.createFile(Files.createDirectory(first).resolve("file"));

    RecordBatch batch = new RecordBatch(1 << 16);
    assertThat(orphan.read(batch, 1 << 16)).isNotNull();
    assertThat(orphan.read(batch, 1 << 16)).isNull();
    assertThat(batch.count()).isPositive();
  }

  @Test
  void aDamagedPayloadCostsItsRecord() throws IOException {
    flip(first, 64 + 2 * 32 + PAYLOAD);
    assertThat(readOrphan()).isEqualTo(texts(0, 2, "gap 2+1", 3, 18));
  }

  @Test
  void aDamagedChecksumCostsItsRecord() throws IOException {
    flip(first, 64 + CRC);
    assertThat(readOrphan()).isEqualTo(texts(0, 0, "gap 0+1", 1, 18));
  }

  @Test
  void aDamagedSequenceCostsItsRecord() throws IOException {
    flip(second, 64 + 3 * 32 + SEQUENCE);
    assertThat(readOrphan()).isEqualTo(texts(0, 9, "gap 9+1", 10, 18));
  }

  @Test
  void anImpossibleLengthIsNotFollowed() throws IOException {
    for (int length : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 0, 15, 1 << 20, 193}) {
      putInt(first, 64 + 32 + LENGTH, length);
      assertThat(readOrphan()).as("length %d", length).isEqualTo(texts(0, 1, "gap 1+1", 2, 18));
      orphan.close();
    }
  }

  @Test
  void severalRecordsZeroedAreOneGap() throws IOException {
    write(second, 64 + 32, new byte[3 * 32]);
    assertThat(readOrphan()).isEqualTo(texts(0, 7, "gap 7+3", 10, 18));
  }

  @Test
  void twoDamagedPlacesAreTwoGaps() throws IOException {
    flip(first, 64 + 32 + PAYLOAD);
    flip(first, 64 + 4 * 32 + PAYLOAD);
    assertThat(readOrphan()).isEqualTo(texts(0, 1, "gap 1+1", 2, 4, "gap 4+1", 5, 18));
  }

  @Test
  void damageUpToTheEndOfASegmentEndsAtTheNextSegment() throws IOException {
    write(first, 64 + 4 * 32, new byte[2 * 32]);
    assertThat(readOrphan()).isEqualTo(texts(0, 4, "gap 4+2", 6, 18));
  }

  @Test
  void aTornEndIsTheEndWhereverItIsTorn() throws IOException {
    byte[] whole = Files.readAllBytes(third);
    for (int size = whole.length - 1; size >= 64; size--) {
      Files.write(third, Arrays.copyOf(whole, size));
      int records = 12 + (size - 64 + 32 - PAYLOAD - text(0).length()) / 32;
      assertThat(readOrphan()).as("%d bytes", size).isEqualTo(texts(0, records));
      assertThat(orphan.limitSequence()).isEqualTo(records);
      orphan.close();
    }
    assertThat(directory.takeWarnings()).isEmpty();
  }

  @Test
  void aZeroFilledEndIsTheEnd() throws IOException {
    write(third, 64 + 2 * 32, new byte[4 * 32]);
    assertThat(readOrphan()).isEqualTo(texts(0, 14));
  }

  @Test
  void aTruncatedSegmentInTheMiddleIsAGap() throws IOException {
    Files.write(second, Arrays.copyOf(Files.readAllBytes(second), 64 + 32 + 20));
    assertThat(readOrphan()).isEqualTo(texts(0, 7, "gap 7+5", 12, 18));
  }

  @Test
  void missingFirstSegmentsAreAGap() throws IOException {
    Files.delete(first);
    assertThat(readOrphan()).isEqualTo(texts(0, 0, "gap 0+6", 6, 18));
    assertThat(Spools.firstSequence(orphan)).isEqualTo(6);
  }

  @Test
  void missingFirstSegmentsAreNoGapToWhoCommittedThem() throws IOException {
    Files.delete(first);
    adopt();
    orphan.seek(6);
    assertThat(drain(orphan)).isEqualTo(texts(6, 18));
  }

  @Test
  void aMissingSegmentInTheMiddleIsAGap() throws IOException {
    Files.delete(second);
    assertThat(readOrphan()).isEqualTo(texts(0, 6, "gap 6+6", 12, 18));
  }

  @Test
  void aDamagedHeaderIsReportedAndCostsNothing() throws IOException {
    for (int offset : new int[] {0, 8, 12, 16, 32, 40, 50, 60}) {
      flip(second, offset);
      assertThat(readOrphan()).as("offset %d", offset).isEqualTo(texts(0, 18));
      orphan.close();
      flip(second, offset);
    }
    assertThat(directory.takeWarnings()).hasSize(1);
  }

  @Test
  void anEmptySegmentFileIsAGap() throws IOException {
    Files.write(second, new byte[0]);
    assertThat(readOrphan()).isEqualTo(texts(0, 6, "gap 6+6", 12, 18));
    assertThat(directory.takeWarnings()).singleElement().asString().contains("header is damaged");
  }

  @Test
  void aSegmentOfRubbishIsAGap() throws IOException {
    byte[] rubbish = new byte[5000];
    new Random(1).nextBytes(rubbish);
    Files.write(second, rubbish);
    assertThat(readOrphan()).isEqualTo(texts(0, 6, "gap 6+6", 12, 18));
  }

  @Test
  void aSegmentOfAnotherSpoolIsAGap() throws IOException {
    Spool other = directory.createSpool(new SpoolLimits(1 << 20, 256));
    fill(other, 0, 6);
    Files.write(second, Files.readAllBytes(segments(other.path()).get(0)));
    spool.close();
    RecordSource source = Spools.orphan(directory);
    assertThat(drain(source)).isEqualTo(texts(0, 6, "gap 6+6", 12, 18));
    assertThat(directory.takeWarnings()).singleElement().asString().contains("does not match");
    source.close();
    other.close();
  }

  @Test
  void aSegmentUnderAWrongNameGivesNoWrongRecord() throws IOException {
    Files.move(second, second.resolveSibling("0000000000000007.seg"));
    assertThat(readOrphan()).isEqualTo(texts(0, 6, "gap 6+1", 7, 18));
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
  void aHugeSparseSegmentOfNothingIsAGap() throws IOException {
    Files.write(second, new byte[0]);
    putInt(second, 64 << 20, 1);
    assertThat(readOrphan()).isEqualTo(texts(0, 6, "gap 6+6", 12, 18));
  }

  @Test
  void aSegmentThatIsNoFileOfOursIsNotOpened() throws Exception {
    byte[] content = Files.readAllBytes(second);
    Path outside = Files.write(base.resolve("outside"), content);
    Files.setPosixFilePermissions(outside, PosixFilePermissions.fromString("rw-------"));
    Files.delete(second);

    Files.createSymbolicLink(second, outside);
    expectIgnored("is a symbolic link");
    Files.delete(second);

    Files.createLink(second, outside);
    expectIgnored("has 2 hard links");
    Files.delete(second);

    Files.createDirectory(second);
    expectIgnored("is a directory");
    Files.delete(second);

    assertThat(new ProcessBuilder("mkfifo", second.toString()).start().waitFor()).isZero();
    expectIgnored("is a pipe, socket or device");
    Files.delete(second);

    Files.write(second, content);
    Files.setPosixFilePermissions(second, PosixFilePermissions.fromString("rw-r--r--"));
    expectIgnored("has mode 0644");
  }

  @Test
  void aSegmentOfSomebodyElseIsNotOpened() throws IOException {
    assumeTrue(disk.userId() == 0, "root is needed: run the build as root (giving files away)");
    Files.setAttribute(second, "unix:uid", 12345);
    expectIgnored("belongs to user 12345");
  }

  @Test
  void foreignFilesAreReportedAndIgnored() throws IOException {
    Files.writeString(spool.path().resolve("core\n.dump"), "x");
    Files.writeString(spool.path().resolve("0000000000000006.SEG"), "x");
    Files.writeString(spool.path().resolve("ffffffffffffffff.seg"), "x");
    assertThat(readOrphan()).isEqualTo(texts(0, 18));
    assertThat(directory.takeWarnings())
        .hasSize(3)
        .allMatch(warning -> warning.endsWith("not a file of a spool"))
        .anyMatch(warning -> warning.contains("core?.dump"));
  }

  @Test
  void anOrphanWithoutSegmentsIsEmpty() throws IOException {
    Files.delete(first);
    Files.delete(second);
    Files.delete(third);
    assertThat(readOrphan()).isEmpty();
    assertThat(Spools.firstSequence(orphan)).isZero();
    assertThat(orphan.limitSequence()).isZero();
    orphan.discard();
    assertThat(Spools.names(directory.path())).isEmpty();
  }

  @Test
  void anOrphanWithoutLockIsTakenOver() throws IOException {
    spool.close();
    Files.delete(spool.path().resolve("lock"));
    assertThat(readOrphan()).isEqualTo(texts(0, 18));
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

  @Test
  void aReleasedDamagedSegmentIsDeletedLikeAnyOther() throws IOException {
    flip(second, 64 + PAYLOAD);
    readOrphan();
    orphan.release(18);

    assertThat(segments(spool.path())).containsExactly(third);
    orphan.discard();
    assertThat(Spools.names(directory.path())).isEmpty();
  }

  private void expectIgnored(String fault) throws IOException {
    directory.takeWarnings();
    assertThat(readOrphan()).isEqualTo(texts(0, 6, "gap 6+6", 12, 18));
    assertThat(directory.takeWarnings()).singleElement().asString().contains(fault);
    orphan.close();
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
