package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same life of a spool again and again, and each time another call fails. */
@Tag("once")
class SpoolFaultsTest {
  private static final int RECORDS = 60;
  private static final SpoolLimits LIMITS = new SpoolLimits(768, 256);

  @TempDir Path base;

  /** Work that may fail. */
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
      disk.failAnyOnce(nth, new IOException("call " + nth));
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
