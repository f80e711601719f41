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

  private final Disk disk = ShippingProcess.unforced();
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

  private TailRecovery.Tail match(String log, Anchor anchor) throws IOException {
    return match(log, BEFORE.length(), anchor);
  }

  private TailRecovery.Tail match(String log, int offset, Anchor anchor) throws IOException {
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
      return TailRecovery.compare(opened, checkpoint, transfer, new RecordBatch(1024));
    }
  }

  private static Anchor anchor(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return new Anchor(text.length(), (int) crc.getValue());
  }

  private TailRecovery.Tail match(String log) throws IOException {
    return match(log, anchor(BEFORE));
  }

  /** Records up to here are in the log, and it is cut back to their end. */
  private static TailRecovery.Tail whole(long next, String log) {
    return new TailRecovery.Tail(next, log.length(), null);
  }

  private TailRecovery.Tail foreign(String reason, long next) throws IOException {
    return new TailRecovery.Tail(next, Files.size(directory.resolve("app.log")), reason);
  }

  @Test
  void nothingBehindTheCheckpointMeansThatNothingWasShipped() throws IOException {
    assertThat(match(BEFORE)).isEqualTo(whole(1, BEFORE));
  }

  @Test
  void wholeRecordsAreCounted() throws IOException {
    assertThat(match(BEFORE + "alpha\n")).isEqualTo(whole(2, BEFORE + "alpha\n"));
    assertThat(match(BEFORE + "alpha\nbeta\n")).isEqualTo(whole(3, BEFORE + "alpha\nbeta\n"));
    assertThat(match(BEFORE + "alpha\nbeta\ngamma\n"))
        .isEqualTo(whole(4, BEFORE + "alpha\nbeta\ngamma\n"));
  }

  @Test
  void aTornRecordIsCutOff() throws IOException {
    for (int bytes = 1; bytes < 5; bytes++) {
      assertThat(match(BEFORE + "alpha\n" + "beta\n".substring(0, bytes)))
          .isEqualTo(whole(2, BEFORE + "alpha\n"));
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
    assertThat(match(BEFORE, new Anchor(8, 0)).foreign()).isNotNull();
    assertThat(match("behind\nalpha\n", Anchor.NONE)).isEqualTo(whole(2, "behind\nalpha\n"));
  }

  @Test
  void aGapInTheSpoolIsLeftForTheReader() throws IOException {
    ShippingProcess.write(spool, ShippingProcess.lines("more", 40));
    Path first = spool.path().resolve("0000000000000000.seg");
    Files.delete(first);

    assertThat(match(BEFORE)).isEqualTo(whole(1, BEFORE));
  }

  /** A log without a header, whose first lines were never committed. */
  @Test
  void beforeTheFirstByteNothingCanHaveChanged() throws IOException {
    assertThat(match("alpha\nbe", 0, Anchor.NONE)).isEqualTo(whole(2, "alpha\n"));
  }

  @Test
  void zerosInPlaceOfRecordsAreHoles() throws IOException {
    TailRecovery.Tail holed = whole(1, BEFORE);
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
