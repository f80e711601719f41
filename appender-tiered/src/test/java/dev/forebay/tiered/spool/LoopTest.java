package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Spools.text;
import static dev.forebay.tiered.spool.Spools.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.spool.SpoolBudget.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a loop keeps, what it overwrites, and what a reader finds of it. */
@Tag("once")
class LoopTest {
  private static final int SEGMENT = 512;
  private static final int SEGMENTS = 8;
  private static final long SECOND = 1_000_000_000;
  private static final long KEEP = 70 * SECOND;
  private static final long TIME_MS = 1_700_000_000_000L;

  private static final int RECORDS = (SEGMENT - 64) / 32;

  private final FaultyDisk disk = new FaultyDisk(new NioDisk());
  @TempDir Path base;
  private SpoolDirectory directory;
  private Loop loop;
  private long expired;
  private long nowNs;
  private int added;

  @BeforeEach
  void create() throws IOException {
    directory = Spools.open(disk, base);
    loop = create(SEGMENTS);
  }

  @AfterEach
  void everyRecordIsHeldOrExpired() throws Exception {
    assertThat(expired + loop.held()).isEqualTo(added);
    loop.discard();
    assertThat(expired).isEqualTo(added);
    assertThat(loop.held()).isZero();
  }

  private Loop create(int segments) throws IOException {
    return directory.createLoop(
        new SpoolLimits((long) segments * SEGMENT, SEGMENT),
        KEEP,
        records -> expired += records,
        () -> TIME_MS,
        nowNs,
        true);
  }

  private void add(int records) throws IOException {
    for (int i = 0; i < records; i++) {
      byte[] payload = Spools.bytes(text(added));
      assertThat(loop.append(payload, 0, payload.length, 0, true))
          .isEqualTo(SpoolWriter.Outcome.ADDED);
      added++;
    }
    loop.flush();
  }

  private List<String> read() throws IOException {
    LoopHold hold = loop.hold();
    loop.end(hold);
    List<String> all = Spools.drain(loop.read(hold));
    hold.release();
    return all;
  }

  @Test
  void aFullLoopHasTheNewestSegmentsInOrder() throws Exception {
    for (int i = 0; i < 100; i++) {
      add(RECORDS / 2 + 1);
      List<String> found = read();
      assertThat(found).isEqualTo(texts(added - found.size(), added));
      assertThat(found).hasSizeGreaterThan(Math.min(added, (SEGMENTS - 1) * RECORDS) - 1);
      assertThat((long) found.size()).as("held").isEqualTo(added - expired);
    }
    assertThat(loop.usedBytes()).isEqualTo(SEGMENTS * SEGMENT);
    assertThat(Spools.sizeOf(loop.path())).isLessThanOrEqualTo(SEGMENTS * SEGMENT);
  }

  @Test
  void recordsOlderThanKeepExpireAlthoughThereIsRoom() throws Exception {
    add(1);
    for (int second = 1; second <= 300; second++) {
      nowNs = second * SECOND;
      loop.look(nowNs);
      add(1);
      List<String> found = read();
      assertThat(found).isEqualTo(texts(added - found.size(), added));
      assertThat(found.size()).isGreaterThanOrEqualTo(Math.min(added, 70));
      assertThat(found.size()).as("a span more than keep").isLessThanOrEqualTo(70 + 11);
    }
  }

  /** A reader has it open perhaps, on a system where what is open cannot be renamed. */
  @Test
  void whatCannotBeOverwrittenNowIsOverwrittenLater() throws IOException {
    add(SEGMENTS * RECORDS);
    disk.affecting(path -> path.toString().endsWith(".seg"));
    for (int i = 0; i < SEGMENTS; i++) {
      disk.failOnce(FaultyDisk.Op.MOVE, 1, new IOException("it is open"));
      add(RECORDS);
    }
    disk.heal();
    add(SEGMENTS * RECORDS);

    assertThat(loop.held()).isGreaterThan((SEGMENTS - 1L) * RECORDS);
  }

  @Test
  void aReaderThatIsOvertakenFindsAGapAndNoWrongRecord() throws Exception {
    add(SEGMENTS * RECORDS);
    LoopHold hold = loop.hold();
    loop.end(hold);
    RecordSource source = loop.read(hold);
    RecordBatch batch = new RecordBatch(1 << 16);
    assertThat(source.read(batch, 1)).isNull();
    assertThat(batch.count()).isPositive();
    hold.release(); // as if it did not need them
    add(SEGMENTS * RECORDS); // over the segment that is open
    List<String> rest = Spools.drain(source);
    List<String> logged = texts(0, SEGMENTS * RECORDS);
    assertThat(rest).allMatch(text -> text.startsWith("gap ") || logged.contains(text));
    assertThat(rest).last().asString().startsWith("gap ");
  }

  @Test
  void aLoopIsNoSpoolToBeShipped() throws Exception {
    add(1);
    loop.close();
    assertThat(Spools.open(disk, base).orphans(SpoolNames.SPOOL)).isEmpty();
    Path place = directory.path().resolveSibling("");
    Reading ofSpools = new SpoolBudgets.Place(disk, place, false).read(Set.of());
    Reading ofLoops = new SpoolBudgets.Place(disk, place, true).read(Set.of());
    assertThat(ofSpools.othersBytes()).isZero();
    assertThat(ofLoops.othersBytes()).isPositive();
    assertThat(ofLoops.limitBytes()).isEqualTo(ofSpools.limitBytes() / 2);
  }

  @Test
  void aDeadLoopThatNobodyDumpsIsDeletedAfterAWeekAndALivingOneNever() throws Exception {
    add(1);
    Loop dead = create(SEGMENTS);
    dead.close();
    long nowMs = Files.getLastModifiedTime(dead.path().resolve("lock")).toMillis();
    long week = 7 * 24 * 3_600_000L;
    directory.cleanUp(nowMs + week - 60_000);
    assertThat(dead.path()).exists();
    directory.cleanUp(nowMs + week + 60_000);
    assertThat(dead.path()).doesNotExist();
    assertThat(loop.path()).exists();
  }

  @Test
  void recordingGoesOnInItsOwnPagesWhileTheFileSystemIsFull() throws Exception {
    add(4 * RECORDS);
    disk.limitSpace(0);
    List<String> taken = new ArrayList<>(texts(0, added));
    for (int i = 0; i < 20 * RECORDS; i++) {
      byte[] payload = Spools.bytes(text(added));
      if (loop.append(payload, 0, payload.length, 0, true) == SpoolWriter.Outcome.ADDED) {
        taken.add(text(added++));
      }
      if (i % 5 == 0) {
        flushAsPossible();
      }
    }
    disk.heal();
    loop.flush();
    assertThat(taken).hasSize(24 * RECORDS);
    List<String> found = read();
    assertThat(found).isEqualTo(texts(added - found.size(), added));
    assertThat(found).hasSizeGreaterThan(RECORDS);
  }

  private void flushAsPossible() {
    try {
      loop.flush();
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("space");
    }
  }
}
