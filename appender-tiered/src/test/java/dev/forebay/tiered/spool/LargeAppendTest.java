package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Spools.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.SpoolWriter.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records that do not fit into the writer's buffer. */
@Tag("once")
class LargeAppendTest {

  private final FaultyDisk disk = new FaultyDisk(new NioDisk());
  @TempDir Path base;
  private Spool spool;

  @BeforeEach
  void open() throws IOException {
    spool = Spools.open(disk, base).createSpool(new SpoolLimits(4 << 20, 1 << 20));
  }

  @AfterEach
  void close() {
    disk.heal();
    spool.close();
  }

  @Test
  void aLargeRecordGoesThroughASmallBuffer() throws IOException {
    disk.limitWrites(9999);
    String payload = "0123456789".repeat(30_000);
    append(spool, "before");
    append(spool, payload);
    append(spool, "after");
    append(spool, "y".repeat(spool.writer().maxPayloadBytes()));
    spool.writer().flush();

    assertThat(drainWide(spool))
        .containsExactly("before", payload, "after", "y".repeat(spool.writer().maxPayloadBytes()));
  }

  @Test
  void aLargeRecordThatBreaksOffIsContinuedAtTheExactByte() throws IOException {
    String payload = "0123456789".repeat(30_000);
    append(spool, "before");
    disk.limitSpace(200_000);
    assertThat(append(spool, payload)).isEqualTo(Outcome.ADDED);
    assertThatThrownBy(spool.writer()::flush).hasMessage("No space left on device");
    assertThat(spool.publishedSequence()).isEqualTo(1);
    assertThat(append(spool, "later")).isEqualTo(Outcome.FULL);

    disk.limitSpace(Long.MAX_VALUE);
    spool.writer().flush();
    assertThat(append(spool, "smaller")).isEqualTo(Outcome.ADDED);
    assertThat(append(spool, payload)).isEqualTo(Outcome.ADDED);
    spool.writer().flush();

    assertThat(drainWide(spool)).containsExactly("before", payload, "smaller", payload);
  }

  /** Else a full tmpfs looks as if it only paused, and is never left for the heap. */
  @Test
  void anotherAttemptAtALargeRecordIsNoProgress() throws IOException {
    append(spool, "before");
    spool.writer().flush();
    disk.limitSpace(200_000); // which its first part then has
    append(spool, "0123456789".repeat(30_000));
    assertThatThrownBy(spool.writer()::flush).hasMessage("No space left on device");
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
    String payload = "0123456789".repeat(30_000);
    for (int call = 1; call < 8; call++) {
      try (Spool read = Spools.open(disk, base).createSpool(new SpoolLimits(4 << 20, 1 << 20))) {
        append(read, payload);
        read.writer().flush();
        Path segment = Spools.segments(read.path()).get(0);
        disk.before(Op.READ, call, () -> Damage.write(segment, 64, new byte[] {-1, -1, -1, 0}));
        RecordBatch batch = new RecordBatch(1 << 20);
        if (read.source().read(batch, 1) == null && batch.count() > 0) {
          assertThat(Spools.texts(read.source(), batch)).containsExactly(payload);
        }
        disk.heal();
      }
    }
  }

  private static List<String> drainWide(Spool spool) throws IOException {
    List<String> read = new ArrayList<>();
    RecordBatch batch = new RecordBatch(1 << 20);
    while (spool.source().read(batch, 1) == null && batch.count() > 0) {
      read.addAll(Spools.texts(spool.source(), batch));
    }
    return read;
  }
}
