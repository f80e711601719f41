package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.HeapDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.SpoolWriter.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random walks, checked step by step against a list that cannot fail. */
@Tag("once")
class SpoolModelTest {
  private static final int WALKS = 150;
  private static final int STEPS = 400;
  private static final int MAX_PAYLOAD_BYTES = 300;

  @TempDir Path base;

  /** A new log's directory, on the file system or in the heap. */
  private SpoolDirectory directory(Disk disk, boolean isHeap, String log) throws IOException {
    Path place = isHeap ? HeapDisk.ROOT : base;
    return SpoolDirectory.open(disk, place, LogIdentity.of(disk, Path.of(log)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyWalkAgreesWithTheModel(boolean isHeap) throws IOException {
    for (int seed = 0; seed < WALKS; seed++) {
      HeapDisk heap = new HeapDisk(1 << 20);
      FaultyDisk disk = new FaultyDisk(isHeap ? heap : new NioDisk());
      new Walk(seed, disk, directory(disk, isHeap, "app" + seed)).run();
      assertThat(heap.usableBytes(HeapDisk.ROOT)).isEqualTo(1 << 20);
    }
  }

  /** In segments that are larger than a chunk of the heap's disk. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRecordIsTheSameForAReaderOnAnotherThread(boolean isHeap) throws Exception {
    int total = 100_000;
    Disk disk = isHeap ? new HeapDisk(1 << 20) : new NioDisk();
    SpoolDirectory directory = directory(disk, isHeap, "app");
    Spool spool = directory.createSpool(new SpoolLimits(160 * 1024, 40 * 1024));
    CompletableFuture<Void> reading =
        CompletableFuture.runAsync(() -> expectAll(spool.source(), total));
    SpoolWriter writer = spool.writer();
    while (writer.nextSequence() < total && !reading.isDone()) {
      byte[] payload = payload(writer.nextSequence());
      if (writer.append(payload, 0, payload.length, Spools.INFO) == Outcome.FULL) {
        writer.flush();
        while (!writer.isReady() && !reading.isDone()) {
          Thread.onSpinWait();
        }
      } else if (writer.nextSequence() % 7 == 0) {
        writer.flush();
      }
    }
    writer.flush();
    reading.get();

    assertThat(spool.usedBytes()).isLessThanOrEqualTo(160 * 1024);
    spool.discard();
  }

  private static void expectAll(RecordSource source, int total) {
    RecordBatch batch = new RecordBatch(8 * 1024);
    try {
      while (source.nextSequence() < total) {
        MissingRecords gap = source.read(batch, 2_000);
        assertThat(gap).isNull();
        long next = batch.firstSequence();
        for (byte[] actual : Spools.payloads(batch)) {
          assertThat(actual).isEqualTo(payload(next++));
        }
        source.release(source.nextSequence());
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] payload(long sequence) {
    byte[] payload = new byte[(int) (sequence * 31 % 97)];
    Arrays.fill(payload, (byte) sequence);
    return payload;
  }

  private static final class Walk {
    private final Random random;
    private final FaultyDisk disk;
    private final SpoolDirectory directory;
    private final SpoolLimits limits;
    private final Spool spool;
    private final RecordBatch batch;

    /** The model: all payloads ever added, how many are committed, and which is read next. */
    private final List<byte[]> added = new ArrayList<>();

    private long committed;
    private long next;

    private boolean isHealthy = true;

    Walk(int seed, FaultyDisk disk, SpoolDirectory directory) throws IOException {
      this.random = new Random(seed);
      this.disk = disk;
      this.directory = directory;
      int segmentBytes = 256 + 8 * random.nextInt(100);
      this.limits = new SpoolLimits(segmentBytes * (1L + random.nextInt(6)), segmentBytes);
      this.spool = directory.createSpool(limits);
      this.batch = new RecordBatch(1 + random.nextInt(1000));
    }

    void run() throws IOException {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(12)) {
          case 0, 1, 2, 3, 4 -> append();
          case 5 -> flush();
          case 6, 7, 8 -> read();
          case 9 -> release();
          case 10 -> seek();
          default -> changeDisk();
        }
        assertThat(spool.usedBytes()).isLessThanOrEqualTo(limits.mostBytes());
        assertThat(spool.writer().nextSequence()).isEqualTo(added.size());
      }
      disk.heal();
      die();
    }

    private void append() {
      byte[] payload = new byte[random.nextInt(MAX_PAYLOAD_BYTES)];
      random.nextBytes(payload);
      boolean mustTake =
          isHealthy && spool.writer().isReady() && payload.length <= limits.segmentBytes() / 32;
      Outcome outcome = spool.writer().append(payload, 0, payload.length, random.nextInt(5));
      boolean isTooLarge = payload.length > spool.writer().maxPayloadBytes();
      assertThat(outcome == Outcome.TOO_LARGE).isEqualTo(isTooLarge);
      if (mustTake) {
        assertThat(outcome).isEqualTo(Outcome.ADDED);
      }
      if (outcome == Outcome.ADDED) {
        added.add(payload);
      }
    }

    private void flush() {
      try {
        spool.writer().flush();
        assertThat(spool.publishedSequence()).isEqualTo(added.size());
      } catch (IOException e) {
        assertThat(spool.writer().isReady()).isFalse();
        assertThat(spool.publishedSequence()).isLessThanOrEqualTo(added.size());
      }
    }

    private void read() throws IOException {
      assertThat(spool.source().read(batch, 1 + random.nextInt(800))).isNull();
      long published = spool.publishedSequence();
      if (next < published) {
        assertThat(batch.count()).isPositive();
        assertThat(batch.firstSequence()).isEqualTo(next);
      } else {
        assertThat(batch.count()).isZero();
      }
      expectBatch();
      assertThat(spool.source().nextSequence()).isEqualTo(next);
    }

    private void expectBatch() {
      for (byte[] actual : Spools.payloads(batch)) {
        assertThat(actual).isEqualTo(added.get((int) next++));
      }
    }

    private void release() throws IOException {
      committed += random.nextLong(next - committed + 1);
      spool.source().release(committed);
      long oldest =
          disk.list(spool.path()).stream()
              .mapToLong(file -> SpoolNames.firstSequence(SpoolNames.of(file)))
              .filter(first -> first >= 0)
              .min()
              .orElse(0);
      assertThat(oldest).isLessThanOrEqualTo(committed);
    }

    private void seek() {
      next = committed + random.nextLong(next - committed + 1);
      spool.source().seek(next);
    }

    private void changeDisk() {
      disk.heal();
      isHealthy = random.nextInt(4) > 0;
      if (random.nextInt(4) == 0) {
        disk.limitWrites(1 + random.nextInt(50));
      }
      if (!isHealthy) {
        disk.limitSpace(random.nextInt(600));
      }
    }

    /** The process is gone; another finds everything that was published and not released. */
    private void die() throws IOException {
      long published = spool.publishedSequence();
      spool.close();
      RecordSource orphan = Spools.orphan(directory);
      orphan.seek(committed);
      assertThat(orphan.limitSequence()).isEqualTo(Math.max(published, committed));
      next = committed;
      while (orphan.read(batch, 500) == null && batch.count() > 0) {
        expectBatch();
      }
      assertThat(next).isEqualTo(published);
      orphan.discard();
      assertThat(disk.list(directory.path())).isEmpty();
    }
  }

  private static final int RECORDS = 60;
  private static final SpoolLimits LIMITS = new SpoolLimits(768, 256);

  private interface Work {
    void run() throws IOException;
  }

  @Test
  void whateverCallFailsEveryRecordArrivesOnce() throws IOException {
    int nth = 0;
    FaultyDisk disk;
    do {
      nth++;
      disk = new FaultyDisk(new NioDisk());
      Path place = Files.createDirectory(base.resolve("life" + nth));
      Spool spool = Spools.open(disk, place).createSpool(LIMITS);
      disk.failOnce(null, nth, new IOException("call " + nth));
      List<String> read = new ArrayList<>();

      live(spool, read);

      assertThat(read).as("call %d fails", nth).isEqualTo(Spools.texts(0, RECORDS));
      assertThat(Spools.sizeOf(spool.path()))
          .as("call %d fails", nth)
          .isLessThanOrEqualTo(spool.usedBytes())
          .isLessThanOrEqualTo(LIMITS.mostBytes());
      repeat(spool::discard);
    } while (!disk.hasFaultsAhead());
    assertThat(nth).isGreaterThan(100);
  }

  private static void live(Spool spool, List<String> read) throws IOException {
    RecordBatch batch = new RecordBatch(1000);
    int next = 0;
    for (int round = 0; round < RECORDS && read.size() < RECORDS; round++) {
      for (int i = 0; i < 5 && next < RECORDS; i++) {
        if (Spools.append(spool, Spools.text(next)) == SpoolWriter.Outcome.ADDED) {
          next++;
        }
      }
      repeat(() -> spool.writer().flush());
      repeat(
          () -> {
            assertThat(spool.source().read(batch, 1000)).isNull();
            read.addAll(Spools.texts(batch));
          });
      repeat(() -> spool.source().release(read.size()));
    }
  }

  /** One failure was planned, so the second attempt, or here the fifth, must succeed. */
  private static void repeat(Work work) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        work.run();
        return;
      } catch (IOException e) {
        if (attempt == 5) {
          throw e;
        }
      }
    }
  }
}
