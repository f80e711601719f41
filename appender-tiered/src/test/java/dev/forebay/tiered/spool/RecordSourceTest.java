package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Spools.append;
import static dev.forebay.tiered.spool.Spools.drain;
import static dev.forebay.tiered.spool.Spools.fill;
import static dev.forebay.tiered.spool.Spools.records;
import static dev.forebay.tiered.spool.Spools.segments;
import static dev.forebay.tiered.spool.Spools.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class RecordSourceTest {
  private final FaultyDisk disk = new FaultyDisk(new NioDisk());
  private final RecordBatch batch = new RecordBatch(64);
  @TempDir Path base;
  private SpoolDirectory directory;
  private Spool spool;
  private RecordSource source;

  @BeforeEach
  void open() throws IOException {
    directory = Spools.open(disk, base);
    spool = directory.createSpool(new SpoolLimits(1 << 20, 256));
    source = spool.source();
  }

  @AfterEach
  void close() {
    spool.close();
  }

  @Test
  void theRecordThatCrossesTheLimitStillBelongs() throws IOException {
    fill(spool, 0, 5);

    assertThat(source.read(batch, 9)).isNull();
    assertThat(batch.count()).isEqualTo(2);
    assertThat(texts(source, batch)).containsExactly("record 0", "record 1");
    assertThat(source.read(batch, 8)).isNull();
    assertThat(batch.count()).isEqualTo(1);
    assertThat(texts(source, batch)).containsExactly("record 2");
    assertThat(batch.firstSequence()).isEqualTo(2);
    assertThat(batch.nextSequence()).isEqualTo(3);
    assertThat(source.read(batch, 1)).isNull();
    assertThat(batch.count()).isEqualTo(1);
  }

  @Test
  void theLimitOfTheBatchIsHard() throws IOException {
    fill(spool, 0, 10);

    assertThat(source.read(batch, 1000)).isNull();
    assertThat(batch.count()).isEqualTo(8);
    assertThat(batch.byteCount()).isEqualTo(64);
  }

  @Test
  void aRecordLargerThanTheBatchIsABatchOfItsOwn() throws IOException {
    append(spool, "a");
    append(spool, "b".repeat(100));
    append(spool, "c");
    spool.writer().flush();

    source.read(batch, 1000);
    assertThat(texts(source, batch)).containsExactly("a");
    source.read(batch, 1000);
    assertThat(texts(source, batch)).containsExactly("b".repeat(100));
    source.read(batch, 1000);
    assertThat(texts(source, batch)).containsExactly("c");
    assertThat(source.read(batch, 1000)).isNull();
    assertThat(batch.count()).isZero();
    assertThat(batch.count()).isZero();
  }

  /** Larger than the buffer it is staged in, and than the window it is read through. */
  @Test
  void aRecordLargerThanAnyBufferPassesWhole() throws IOException {
    spool.close();
    spool = directory.createSpool(new SpoolLimits(4 << 20, 2 << 20));
    String large = "0123456789".repeat(100_000);
    append(spool, "before");
    append(spool, large);
    append(spool, "after");
    spool.writer().flush();

    assertThat(drain(spool.source())).containsExactly("before", large, "after");
  }

  @Test
  void seeksForwardAndBack() throws IOException {
    fill(spool, 0, 30);

    source.seek(17);
    source.read(batch, 1);
    assertThat(texts(source, batch)).containsExactly("record 17");
    source.seek(3);
    source.read(batch, 1);
    assertThat(texts(source, batch)).containsExactly("record 3");
    source.seek(4);
    source.read(batch, 1);
    assertThat(texts(source, batch)).containsExactly("record 4");
    source.seek(30);
    assertThat(source.read(batch, 1)).isNull();
    assertThat(batch.count()).isZero();
    source.seek(0);
    assertThat(drain(source)).isEqualTo(records(0, 30));
    assertThatThrownBy(() -> source.seek(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsReleasedIsGoneAndTheRestIsKept() throws IOException {
    fill(spool, 0, 30);
    drain(source);

    source.release(17);

    long first = Spools.firstSequence(source);
    assertThat(first).isBetween(1L, 17L);
    source.seek(0);
    assertThat(source.read(batch, 1)).isNotNull();
    source.seek(first);
    assertThat(drain(source)).isEqualTo(records((int) first, 30));
  }

  @Test
  void onlyWhatWasReadCanBeReleased() throws IOException {
    fill(spool, 0, 3);
    source.read(batch, 1);

    assertThatThrownBy(() -> source.release(2)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theSegmentBeingWrittenIsNotReleased() throws IOException {
    fill(spool, 0, 2);
    drain(source);
    source.release(2);

    assertThat(segments(spool.path())).hasSize(1);
    fill(spool, 2, 4);
    assertThat(drain(source)).isEqualTo(records(2, 4));
  }

  @Test
  void aReleaseThatFailsIsRepeated() throws IOException {
    fill(spool, 0, 30);
    drain(source);
    int before = segments(spool.path()).size();
    disk.failOnce(FaultyDisk.Op.MOVE, 2, new IOException("no rename"));

    assertThatThrownBy(() -> source.release(30)).hasMessage("no rename");
    assertThat(segments(spool.path())).hasSize(before - 1);
    source.release(30);

    assertThat(segments(spool.path())).hasSizeLessThan(2);
    long files =
        Spools.names(spool.path()).stream()
            .filter(name -> name.matches("spare-.*|.*\\.seg"))
            .count();
    assertThat(spool.usedBytes()).isEqualTo(256 * files);
  }

  @Test
  void aReadThatFailsIsRepeated() throws IOException {
    fill(spool, 0, 3);
    fill(spool, 3, 30);
    disk.failOnce(FaultyDisk.Op.READ, 6, new IOException("broken"));

    assertThatThrownBy(() -> source.read(new RecordBatch(1000), 1000))
        .isInstanceOf(SpoolReadException.class)
        .hasRootCauseMessage("broken");

    assertThat(source.nextSequence()).isZero();
    assertThat(drain(source)).isEqualTo(records(0, 30));
  }

  @Test
  void limitsAreKnownForLivingAndDeadSpools() throws IOException {
    fill(spool, 0, 20);
    append(spool, "not flushed");
    assertThat(Spools.firstSequence(source)).isZero();
    assertThat(source.limitSequence()).isEqualTo(20);
    spool.close();

    RecordSource orphan = Spools.orphan(directory);
    orphan.seek(5);
    assertThat(orphan.limitSequence()).isEqualTo(20);
    assertThat(orphan.nextSequence()).isEqualTo(5);
    assertThat(Spools.firstSequence(orphan)).isZero();
    assertThat(drain(orphan)).isEqualTo(records(5, 20));
    orphan.close();
  }

  @Test
  void batchTellsHowManyRecordsLieWithinSomeBytes() throws IOException {
    append(spool, "abc");
    append(spool, "");
    append(spool, "de");
    spool.writer().flush();
    source.read(batch, 100);

    assertThat(batch.recordsWithin(2)).isZero();
    assertThat(batch.recordsWithin(3)).isEqualTo(2);
    assertThat(batch.recordsWithin(4)).isEqualTo(2);
    assertThat(batch.recordsWithin(5)).isEqualTo(3);
    assertThat(batch.byteCount(0)).isZero();
    assertThat(batch.byteCount(1)).isEqualTo(3);
    assertThatThrownBy(() -> batch.byteCount(4)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
