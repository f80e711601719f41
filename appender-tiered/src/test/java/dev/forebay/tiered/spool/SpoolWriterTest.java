package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Spools.append;
import static dev.forebay.tiered.spool.Spools.drain;
import static dev.forebay.tiered.spool.Spools.fill;
import static dev.forebay.tiered.spool.Spools.segments;
import static dev.forebay.tiered.spool.Spools.text;
import static dev.forebay.tiered.spool.Spools.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.SpoolWriter.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class SpoolWriterTest {
  private static final String LARGE = "0123456789".repeat(30_000);
  private final FaultyDisk disk = new FaultyDisk(new NioDisk());
  @TempDir Path base;
  private SpoolDirectory directory;
  private Spool spool;

  @BeforeEach
  void open() throws IOException {
    directory = Spools.open(disk, base);
    spool = directory.createSpool(new SpoolLimits(1024, 256));
  }

  @AfterEach
  void close() {
    disk.heal();
    spool.close();
  }

  private void requireRefusal() {
    assertThatThrownBy(spool.writer()::flush).hasMessage("No space left on device");
  }

  @Test
  void aSegmentThatTheFileSystemDoesNotLetGrowIsBegunAnewInItsOwnPages() throws IOException {
    append(spool, text(0));
    append(spool, text(1));
    append(spool, text(2));
    disk.limitSpace(32 + 32 + 5); // not enough for the third frame
    requireRefusal();
    assertThat(spool.publishedSequence()).isEqualTo(2);
    assertThat(append(spool, "x")).isEqualTo(Outcome.FULL);
    requireRefusal();
    assertThat(spool.writer().refusal()).hasMessage("No space left on device");

    List<String> read = drain(spool.source());
    spool.source().release(2);
    spool.writer().flush();

    assertThat(spool.writer().refusal()).isNull();
    assertThat(spool.writer().isReady()).isTrue();
    read.addAll(drain(spool.source()));
    assertThat(read).isEqualTo(texts(0, 3));
    assertThat(spool.usedBytes()).isEqualTo(256);
  }

  @Test
  void whileTheFileSystemRefusesAllShippedSegmentsAreKept() throws IOException {
    fill(spool, 0, 20);
    disk.limitSpace(0);
    append(spool, "x".repeat(50));
    requireRefusal();
    requireRefusal();
    long used = spool.usedBytes();

    drain(spool.source());
    spool.source().release(20);
    assertThat(spool.usedBytes()).isEqualTo(used);
    spool.writer().flush();

    assertThat(drain(spool.source())).containsExactly("x".repeat(50));
  }

  /** A spool whose records may be larger than the writer's buffer and the reader's window. */
  private Spool wide() throws IOException {
    spool.close();
    spool = directory.createSpool(new SpoolLimits(4 << 20, 1 << 20));
    return spool;
  }

  @Test
  void aRecordLargerThanAnyBufferIsContinuedAtTheExactByte() throws IOException {
    wide();
    String longest = "y".repeat(spool.writer().maxPayloadBytes());
    append(spool, "before");
    disk.limitWrites(9999);
    disk.limitSpace(200_000);
    assertThat(append(spool, LARGE)).isEqualTo(Outcome.ADDED);
    requireRefusal();
    assertThat(spool.publishedSequence()).isEqualTo(1);
    assertThat(append(spool, "later")).isEqualTo(Outcome.FULL);

    disk.limitSpace(Long.MAX_VALUE);
    spool.writer().flush();
    assertThat(append(spool, "smaller")).isEqualTo(Outcome.ADDED);
    assertThat(append(spool, longest)).isEqualTo(Outcome.ADDED);
    spool.writer().flush();

    assertThat(drain(spool.source())).containsExactly("before", LARGE, "smaller", longest);
  }

  /** Else a full tmpfs looks as if it only paused, and is never left for the heap. */
  @Test
  void anotherAttemptAtALargeRecordIsNoProgress() throws IOException {
    append(wide(), "before");
    spool.writer().flush();
    disk.limitSpace(200_000); // which its first part then has
    append(spool, LARGE);
    requireRefusal();
    assertThatThrownBy(spool.writer()::flush).hasMessageContaining("No space left on device");

    long written = spool.writer().writtenBytes();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(spool.writer()::flush).isInstanceOf(IOException.class);
    }

    assertThat(spool.writer().writtenBytes()).isEqualTo(written);
  }

  /** As when the segment of a loop is overwritten while a dump reads it. */
  @Test
  void aLengthThatChangesAfterItsChecksumWasRightIsNotBelieved() throws IOException {
    for (int call = 1; call < 8; call++) {
      append(wide(), LARGE);
      spool.writer().flush();
      Path segment = segments(spool.path()).get(0);
      disk.before(Op.READ, call, () -> Spools.write(segment, 64, new byte[] {-1, -1, -1, 0}));

      RecordBatch batch = new RecordBatch(1 << 20);
      if (spool.source().read(batch, 1) == null && batch.count() > 0) {
        assertThat(texts(batch)).containsExactly(LARGE);
      }
      disk.heal();
    }
  }

  /** Most spools are idle; what one has read and written in small parts, it does in larger ones. */
  @Test
  void buffersGrowWithTheFirstLargeBatch() throws IOException {
    wide();
    assertThat(writes(1)).as("a header and a batch").isEqualTo(2);
    assertThat(drain(spool.source())).hasSize(1);
    assertThat(writes(100)).isEqualTo(2);
    assertThat(writes(200)).isEqualTo(1);

    List<String> expected = Stream.of(texts(0, 100), texts(0, 200)).flatMap(List::stream).toList();
    int reads = disk.calls(Op.READ);
    assertThat(drain(spool.source()).stream().map(String::strip).toList()).isEqualTo(expected);
    assertThat(disk.calls(Op.READ) - reads).isLessThan(6); // 16 KB, then all
    assertThat(writes(1)).isEqualTo(1);
    assertThat(drain(spool.source())).hasSize(1);
  }

  /** A hundred logs in one process had a backlog each. */
  @Test
  void aReaderThatCaughtUpHoldsNoLargeBuffer() throws IOException {
    wide();
    assertThat(writes(200)).isPositive();
    List<ByteBuffer> taken = Stream.generate(LargeBuffers::borrow).limit(4).toList();
    assertThat(LargeBuffers.spare()).isZero();
    RecordBatch batch = new RecordBatch(LargeBuffers.BYTES);
    assertThat(spool.source().read(batch, Long.MAX_VALUE)).isNull();
    assertThat(batch.byteCount()).isGreaterThan(40_000);
    assertThat(LargeBuffers.spare()).as("that of the file").isOne();
    List<String> read = texts(batch);
    batch.clear();
    assertThat(LargeBuffers.spare()).isEqualTo(2);
    assertThat(read).hasSize(200).startsWith(text(0) + " ".repeat(200));
    taken.forEach(LargeBuffers::giveBack);
    assertThat(LargeBuffers.spare()).as("no more are kept").isEqualTo(4);
  }

  private int writes(int records) throws IOException {
    int before = disk.calls(Op.WRITE);
    for (int i = 0; i < records; i++) {
      assertThat(append(spool, text(i) + " ".repeat(200))).isEqualTo(Outcome.ADDED);
    }
    spool.writer().flush();
    return disk.calls(Op.WRITE) - before;
  }
}
