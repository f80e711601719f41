package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments, and spools being created, that fail in the hands of who reads or makes them. */
class UnreadableSegmentsTest {

  @TempDir private Path base;

  private final FaultyDisk disk = new FaultyDisk(new NioDisk());

  @Test
  void aViewGoesOnAfterASegmentThatTheDiskCannotRead() throws IOException {
    Spool spool = Spools.open(disk, base).createSpool(Damage.LIMITS);
    Damage.fill(spool);
    List<Path> segments = Spools.segments(spool.path());
    disk.affecting(segments.get(1)::equals)
        .failFrom(Op.READ, 1, () -> new IOException("Input/output error"));
    StringBuilder faults = new StringBuilder();
    long records = 0;
    try (SpoolView view = new SpoolView(disk, spool.path(), () -> 0)) {
      long end = view.endSequence();
      RecordBatch batch = SpoolView.batch();
      while (view.nextSequence() < end) {
        MissingRecords missing = view.read(batch, 64);
        records += batch.count() + (missing == null ? 0 : missing.count());
        faults.append(missing == null ? "" : missing.reason());
      }
      assertThat(records).isEqualTo(end);
    }
    assertThat(faults).contains("cannot read " + segments.get(1), "Input/output error");
    spool.close();
  }

  @Test
  void aPipeNamedLikeASegmentHoldsUpNoView() throws Exception {
    Spool spool = Spools.open(disk, base).createSpool(Damage.LIMITS);
    Damage.fill(spool);
    Path first = Spools.segments(spool.path()).get(0);
    Files.delete(first);
    Command.run("mkfifo", "-m", "600", first.toString());
    FutureTask<Integer> version =
        new FutureTask<>(
            () -> {
              try (SpoolView view = new SpoolView(new NioDisk(), spool.path(), () -> 0)) {
                return view.version();
              }
            });
    Thread reader = new Thread(version);
    reader.setDaemon(true);
    reader.start();
    Await.end(reader);
    assertThat(version.get()).isEqualTo(SpoolView.readableVersion());
    spool.close();
  }

  /** As a segment with a damaged place in every 4,000 bytes has: each gap is looked for once. */
  @Test
  void manyGapsAreReadInOnePass() throws IOException {
    Spool spool = Spools.open(disk, base).createSpool(new SpoolLimits(64 << 20, 4 << 20));
    byte[] payload = new byte[80];
    for (int i = 0; i < 30_000; i++) {
      assertThat(spool.writer().append(payload, 0, payload.length, 2))
          .isEqualTo(SpoolWriter.Outcome.ADDED);
    }
    spool.writer().flush();
    Path segment = Spools.segments(spool.path()).get(0);
    byte[] bytes = Files.readAllBytes(segment);
    for (int at = 464; at < bytes.length; at += 4000) {
      bytes[at] ^= 0x55;
    }
    Files.write(segment, bytes);
    spool.close();
    disk.affecting(segment::equals).failFrom(Op.READ, 4000, () -> new IOException("too many"));
    RecordBatch batch = new RecordBatch(1 << 20);
    long records = 0;
    try (RecordSource orphan = Spools.orphan(Spools.open(disk, base))) {
      while (records < 30_000) {
        MissingRecords missing = orphan.read(batch, 1 << 18);
        records += missing == null ? batch.count() : missing.count();
      }
    }
    assertThat(records).isEqualTo(30_000);
  }

  @Test
  void aSpoolThatCannotBeMadeForLackOfMemoryStaysNotLocked() throws IOException {
    SpoolDirectory directory = Spools.open(disk, base);
    disk.affecting(path -> path.endsWith("log"))
        .before(
            Op.OPEN,
            1,
            () -> {
              throw new OutOfMemoryError("as if");
            });
    assertThatThrownBy(() -> directory.createSpool(Damage.LIMITS))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(directory.spools()).isEmpty();
    assertThat(directory.orphans(null)).isEmpty();
  }

  /** Another process has locked it before its creator could. */
  @Test
  void aSpoolThatItsCreatorTakesBackIsNoWarning() throws IOException {
    SpoolDirectory directory = Spools.open(disk, base);
    Path bare = directory.path().resolve("spool-" + SpoolNames.spoolSuffix(7, InstanceId.random()));
    disk.createDirectory(bare);
    disk.affecting(bare::equals)
        .before(
            Op.LIST,
            1,
            () -> {
              throw new NoSuchFileException(bare.toString());
            });
    assertThat(directory.orphans(null)).isEmpty();
    assertThat(directory.takeWarnings()).isEmpty();
  }
}
