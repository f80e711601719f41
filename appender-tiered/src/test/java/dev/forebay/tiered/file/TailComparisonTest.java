package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.file.Checkpoint.Anchor;
import dev.forebay.tiered.file.Checkpoint.State;
import dev.forebay.tiered.ship.Records;
import dev.forebay.tiered.ship.ShipAccess;
import dev.forebay.tiered.spool.LogIdentity;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The spool holds "alpha", "beta", "gamma"; the checkpoint stands behind "before". */
@Tag("once")
class TailComparisonTest {

  private static final String BEFORE = "before\n";

  @TempDir Path directory;

  private final Disk disk = new UnforcedDisk();
  private Spool spool;
  private Records transfer;

  @BeforeEach
  void fillSpool() throws IOException {
    SpoolDirectory home =
        SpoolDirectory.open(disk, directory, LogIdentity.of(disk, Path.of("/app.log")));
    spool = home.createSpool(ShippingProcess.LIMITS);
    transfer = ShipAccess.records(home, new CheckpointFile(home), spool);
    ShippingProcess.write(spool, List.of("committed", "alpha", "beta", "gamma"));
  }

  @AfterEach
  void close() {
    spool.close();
  }

  private TailComparison.Result match(String log, Anchor anchor) throws IOException {
    return match(log, BEFORE.length(), anchor);
  }

  private TailComparison.Result match(String log, int offset, Anchor anchor) throws IOException {
    Path file = directory.resolve("app.log");
    Files.writeString(file, log);
    Checkpoint checkpoint =
        new Checkpoint(
            State.RECORDS,
            new SpoolPosition(spool.instanceId(), 1),
            SpoolPosition.NONE,
            new Position("", offset),
            anchor);
    try (DiskFile opened = disk.open(file, Disk.Mode.READ)) {
      return TailComparison.of(opened, checkpoint, transfer, new RecordBatch(1024));
    }
  }

  private static Anchor anchor(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return new Anchor(text.length(), (int) crc.getValue());
  }

  private TailComparison.Result match(String log) throws IOException {
    return match(log, anchor(BEFORE));
  }

  private static TailComparison.Result prefix(long sequence, int bytesOfNext) {
    return new TailComparison.Result.Prefix(sequence, bytesOfNext);
  }

  private static TailComparison.Result foreign(String reason, long next) {
    return new TailComparison.Result.Foreign(reason, next);
  }

  @Test
  void nothingBehindTheCheckpointMeansThatNothingWasShipped() throws IOException {
    assertThat(match(BEFORE)).isEqualTo(prefix(1, 0));
  }

  @Test
  void wholeRecordsAreCounted() throws IOException {
    assertThat(match(BEFORE + "alpha\n")).isEqualTo(prefix(2, 0));
    assertThat(match(BEFORE + "alpha\nbeta\n")).isEqualTo(prefix(3, 0));
    assertThat(match(BEFORE + "alpha\nbeta\ngamma\n")).isEqualTo(prefix(4, 0));
  }

  @Test
  void everyByteOfATornRecordIsCounted() throws IOException {
    for (int bytes = 1; bytes < 5; bytes++) {
      assertThat(match(BEFORE + "alpha\n" + "beta\n".substring(0, bytes)))
          .isEqualTo(prefix(2, bytes));
    }
  }

  @Test
  void otherBytesAreForeign() throws IOException {
    assertThat(match(BEFORE + "alphA\n"))
        .isEqualTo(foreign("bytes after offset 7 are not from this spool", 1));
    assertThat(match(BEFORE + "alpha\nbeta\ngamma\ndelta\n"))
        .isEqualTo(foreign("6 bytes after offset 24 are not from this spool", 4));
  }

  @Test
  void wholeRecordsBeforeOtherBytesCount() throws IOException {
    assertThat(match(BEFORE + "alpha\nBeta\n")).extracting("next").isEqualTo(2L);
    assertThat(match(BEFORE + "alpha\nbet theirs\n")).extracting("next").isEqualTo(2L);
    assertThat(match(BEFORE + "alpha\nbeta\ntheirs\nof several lines\n"))
        .extracting("next")
        .isEqualTo(3L);
  }

  @Test
  void aLogShorterThanTheCheckpointIsForeign() throws IOException {
    assertThat(match("befor"))
        .isEqualTo(foreign("it has 5 bytes, the checkpoint says at least 7", 1));
  }

  @Test
  void anotherEndOfTheCommittedBytesIsForeign() throws IOException {
    assertThat(match("behind\nalpha\n"))
        .isEqualTo(foreign("the bytes before offset 7 have changed", 1));
    assertThat(match(BEFORE, new Anchor(8, 0))).isInstanceOf(TailComparison.Result.Foreign.class);
    assertThat(match("behind\nalpha\n", Anchor.NONE)).isEqualTo(prefix(2, 0));
  }

  @Test
  void aGapInTheSpoolIsLeftForTheReader() throws IOException {
    ShippingProcess.write(spool, ShippingProcess.lines("more", 40));
    Path first = spool.path().resolve("0000000000000000.seg");
    Files.delete(first);

    assertThat(match(BEFORE)).isEqualTo(prefix(1, 0));
  }

  /** A log without a header, whose first lines were never committed. */
  @Test
  void beforeTheFirstByteNothingCanHaveChanged() throws IOException {
    assertThat(match("alpha\nbe", 0, Anchor.NONE)).isEqualTo(prefix(2, 2));
  }

  @Test
  void zerosInPlaceOfRecordsAreHoles() throws IOException {
    TailComparison.Result holed = new TailComparison.Result.Holed(1);
    assertThat(match(BEFORE + "al\0\0a\nbeta\n")).isEqualTo(holed);
    assertThat(match(BEFORE + "alpha\n\0\0\0\0\0gamma\n")).isEqualTo(holed);
    assertThat(match(BEFORE + "alpha\nbeta\ngamma\n\0\0")).isEqualTo(holed);
  }

  /** Which of them are whole nobody knows. */
  @Test
  void afterHolesNoRecordCountsBeforeOtherBytes() throws IOException {
    assertThat(match(BEFORE + "al\0ha\nbeta\ngamma\ntheirs\n"))
        .isEqualTo(foreign("7 bytes after offset 24 are not from this spool", 1));
  }
}
