package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Spools.append;
import static dev.forebay.tiered.spool.Spools.drain;
import static dev.forebay.tiered.spool.Spools.fill;
import static dev.forebay.tiered.spool.Spools.records;
import static dev.forebay.tiered.spool.Spools.segments;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.SpoolWriter.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class SpoolWriterTest {
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

  @Test
  void aRecordIsReadableAfterTheFlushAndNotBefore() throws IOException {
    append(spool, "hello");
    assertThat(spool.publishedSequence()).isZero();
    assertThat(drain(spool.source())).isEmpty();

    spool.writer().flush();

    assertThat(spool.publishedSequence()).isEqualTo(1);
    assertThat(drain(spool.source())).containsExactly("hello");
  }

  @Test
  void anUnusedSpoolTakesNoMemory() throws IOException {
    spool.writer().flush();

    assertThat(spool.usedBytes()).isZero();
    assertThat(segments(spool.path())).isEmpty();
    assertThat(spool.writer().isReady()).isTrue();
  }

  @Test
  void framesDoNotStraddleSegments() throws IOException {
    fill(spool, 0, 20);

    for (Path segment : segments(spool.path())) {
      assertThat(Files.size(segment)).isLessThanOrEqualTo(256);
    }
    assertThat(segments(spool.path())).hasSizeGreaterThan(1);
    assertThat(drain(spool.source())).isEqualTo(records(0, 20));
  }

  @Test
  void atTheCapItIsFullUntilTheReaderReleases() throws IOException {
    int added = 0;
    while (append(spool, "record " + added) == Outcome.ADDED) {
      added++;
    }
    assertThat(spool.writer().isReady()).isFalse();
    assertThat(spool.usedBytes()).isEqualTo(1024);
    assertThat(append(spool, "x")).isEqualTo(Outcome.FULL);
    spool.writer().flush();
    assertThat(spool.writer().isReady()).isFalse();

    List<String> read = drain(spool.source());
    spool.source().release(added);

    assertThat(spool.writer().isReady()).isTrue();
    fill(spool, added, added + 10);
    read.addAll(drain(spool.source()));
    assertThat(read).isEqualTo(records(0, added + 10));
    assertThat(spool.usedBytes()).isLessThanOrEqualTo(1024);
  }

  @Test
  void aCapOfOneSegmentKeepsMoving() throws IOException {
    spool.close();
    spool = directory.createSpool(new SpoolLimits(256, 256));
    List<String> read = new ArrayList<>();
    int next = 0;
    while (next < 100) {
      if (!spool.writer().isReady()) {
        spool.writer().flush();
        read.addAll(drain(spool.source()));
        spool.source().release(spool.source().nextSequence());
        assertThat(spool.writer().isReady()).isTrue();
      }
      if (append(spool, "record " + next) == Outcome.ADDED) {
        next++;
      }
      assertThat(spool.usedBytes()).isLessThanOrEqualTo(256);
    }
    spool.writer().flush();
    read.addAll(drain(spool.source()));

    assertThat(read).isEqualTo(records(0, 100));
  }

  @Test
  void releasedSegmentsAreRecycledAndNotMoreThanTwoKept() throws IOException {
    fill(spool, 0, 20);
    assertThat(segments(spool.path())).hasSize(4);
    drain(spool.source());
    spool.source().release(20);
    List<String> spares = new ArrayList<>();
    for (String name : Spools.names(spool.path())) {
      if (name.startsWith("spare-")) {
        spares.add(disk.stat(spool.path().resolve(name)).key());
      }
    }
    assertThat(spares).hasSize(2);

    fill(spool, 20, 34);

    List<String> used = new ArrayList<>();
    for (Path segment : segments(spool.path())) {
      used.add(disk.stat(segment).key());
    }
    assertThat(used).containsAll(spares);
    assertThat(drain(spool.source())).isEqualTo(records(20, 34));
  }

  @Test
  void aRecordLargerThanASegmentIsRefusedForGood() throws IOException {
    int max = spool.writer().maxPayloadBytes();
    assertThat(max).isEqualTo(256 - 64 - 16);

    assertThat(append(spool, "x".repeat(max + 1))).isEqualTo(Outcome.TOO_LARGE);
    assertThat(spool.writer().nextSequence()).isZero();
    assertThat(append(spool, "y".repeat(max))).isEqualTo(Outcome.ADDED);
    spool.writer().flush();
    assertThat(drain(spool.source())).containsExactly("y".repeat(max));
  }

  @Test
  void anEmptyRecordIsARecord() throws IOException {
    append(spool, "");
    append(spool, "x");
    append(spool, "");
    spool.writer().flush();

    assertThat(drain(spool.source())).containsExactly("", "x", "");
  }

  @Test
  void levelsAreInTheFramesAndOthersRefused() throws IOException {
    byte[] payload = {1};
    for (int level = 0; level < 5; level++) {
      assertThat(spool.writer().append(payload, 0, 1, level)).isEqualTo(Outcome.ADDED);
    }
    spool.writer().flush();
    assertThat(drain(spool.source())).hasSize(5);
    ByteBuffer file =
        ByteBuffer.wrap(Files.readAllBytes(segments(spool.path()).get(0)))
            .order(ByteOrder.LITTLE_ENDIAN);

    int at = FrameFormat.SEGMENT_HEADER_BYTES;
    for (int level = 0; level < 5; level++) {
      assertThat(FrameFormat.level(file, at)).isEqualTo(level);
      at += FrameFormat.stride(FrameFormat.length(file, at));
    }
    assertThatThrownBy(() -> spool.writer().append(payload, 0, 1, 5))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> spool.writer().append(payload, 1, 1, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aShortWriteIsContinuedAtTheExactByte() throws IOException {
    disk.limitWrites(7);

    fill(spool, 0, 20);

    assertThat(drain(spool.source())).isEqualTo(records(0, 20));
  }

  @Test
  void whenSpaceRunsOutNothingIsLostOrDoubled() throws IOException {
    append(spool, "record 0");
    append(spool, "record 1");
    append(spool, "record 2");
    disk.limitSpace(24 + 24 + 5); // two frames and a part of the third
    assertThatThrownBy(() -> spool.writer().flush()).hasMessage("No space left on device");

    assertThat(spool.publishedSequence()).isEqualTo(2);
    assertThat(drain(spool.source())).isEqualTo(records(0, 2));
    assertThat(spool.writer().isReady()).isFalse();
    assertThat(append(spool, "x")).isEqualTo(Outcome.FULL);

    disk.limitSpace(Long.MAX_VALUE);
    spool.writer().flush();
    assertThat(spool.writer().isReady()).isTrue();
    fill(spool, 3, 6);
    assertThat(drain(spool.source())).isEqualTo(records(2, 6));
  }

  @Test
  void aSegmentThatTheFileSystemDoesNotLetGrowIsBegunAnewInItsOwnPages() throws IOException {
    append(spool, "record 0");
    append(spool, "record 1");
    append(spool, "record 2");
    disk.limitSpace(24 + 24 + 5); // two frames and a part of the third
    assertThatThrownBy(() -> spool.writer().flush()).hasMessage("No space left on device");
    assertThatThrownBy(() -> spool.writer().flush()).hasMessage("No space left on device");
    assertThat(spool.writer().refusal()).hasMessage("No space left on device");

    List<String> read = drain(spool.source());
    spool.source().release(2);
    spool.writer().flush();

    assertThat(spool.writer().refusal()).isNull();
    assertThat(spool.writer().isReady()).isTrue();
    read.addAll(drain(spool.source()));
    assertThat(read).isEqualTo(records(0, 3));
    assertThat(spool.usedBytes()).isEqualTo(256);
  }

  @Test
  void whileTheFileSystemRefusesAllShippedSegmentsAreKept() throws IOException {
    fill(spool, 0, 20);
    disk.limitSpace(0);
    append(spool, "x".repeat(50));
    assertThatThrownBy(() -> spool.writer().flush()).hasMessage("No space left on device");
    assertThatThrownBy(() -> spool.writer().flush()).hasMessage("No space left on device");
    long used = spool.usedBytes();

    drain(spool.source());
    spool.source().release(20);
    assertThat(spool.usedBytes()).isEqualTo(used);
    spool.writer().flush();

    assertThat(drain(spool.source())).containsExactly("x".repeat(50));
  }

  @Test
  void aSegmentThatCannotBeMadeIsMadeByALaterFlush() throws IOException {
    disk.failFrom(FaultyDisk.Op.MOVE, 1, () -> new IOException("no rename"));
    assertThat(append(spool, "record 0")).isEqualTo(Outcome.FULL);
    assertThat(spool.writer().isReady()).isFalse();
    assertThatThrownBy(() -> spool.writer().flush()).hasMessage("no rename");
    assertThat(spool.usedBytes()).isZero();
    assertThat(segments(spool.path())).isEmpty();

    disk.heal();
    spool.writer().flush();

    assertThat(spool.writer().isReady()).isTrue();
    fill(spool, 0, 3);
    assertThat(drain(spool.source())).isEqualTo(records(0, 3));
  }

  @Test
  void aBlankFileThatCannotBeDeletedGoesOnCounting() throws IOException {
    disk.failOnce(FaultyDisk.Op.MOVE, 1, new IOException("no rename"));
    disk.failOnce(FaultyDisk.Op.DELETE, 1, new IOException("no delete"));

    assertThat(append(spool, "record 0")).isEqualTo(Outcome.FULL);
    assertThat(spool.usedBytes()).isEqualTo(256);
    spool.writer().flush();
    fill(spool, 0, 2);

    assertThat(spool.usedBytes()).isEqualTo(256);
    assertThat(drain(spool.source())).isEqualTo(records(0, 2));
  }

  @Test
  void anInterruptDuringAWriteCostsNothing() throws IOException {
    append(spool, "record 0");
    append(spool, "record 1");
    disk.failOnce(FaultyDisk.Op.WRITE, 1, new ClosedByInterruptException());

    assertThatThrownBy(() -> spool.writer().flush()).isInstanceOf(IOException.class);
    spool.writer().flush();

    assertThat(drain(spool.source())).isEqualTo(records(0, 2));
  }

  @Test
  void aRemovedDirectoryIsNoticed() throws IOException {
    fill(spool, 0, 1);
    assertThat(spool.isPathIntact()).isTrue();
    for (String name : Spools.names(spool.path())) {
      Files.delete(spool.path().resolve(name));
    }
    Files.delete(spool.path());

    fill(spool, 1, 2); // the operating system does not complain

    assertThat(spool.isPathIntact()).isFalse();
  }

  @Test
  void aRemovedLockIsNoticed() throws IOException {
    Files.delete(spool.path().resolve("lock"));
    assertThat(spool.isPathIntact()).isFalse();
  }

  @Test
  void aSegmentRemovedUnderAFailingWriterIsNoticed() throws IOException {
    fill(spool, 0, 1);
    append(spool, "record 1");
    disk.failOnce(FaultyDisk.Op.WRITE, 1, new IOException("broken"));
    assertThatThrownBy(() -> spool.writer().flush()).hasMessage("broken");
    Files.delete(segments(spool.path()).get(0));

    assertThatThrownBy(() -> spool.writer().flush()).isInstanceOf(IOException.class);

    assertThat(spool.isPathIntact()).isFalse();
  }

  @Test
  void aClosedWriterTakesNothing() {
    spool.close();

    assertThat(append(spool, "x")).isEqualTo(Outcome.FULL);
    assertThat(spool.writer().isReady()).isFalse();
    assertThatThrownBy(() -> spool.writer().flush()).hasMessage("the spool is closed");
  }
}
