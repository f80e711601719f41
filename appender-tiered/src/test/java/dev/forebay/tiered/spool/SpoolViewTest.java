package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Spools.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Command;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A spool read without its lock, at rest and while its owner writes, ships and recycles. */
@Tag("once")
class SpoolViewTest {
  @TempDir Path base;
  private final Disk disk = new NioDisk();
  private Spool spool;
  private List<Path> segments;

  private long committed;

  @BeforeEach
  void fillSpool() throws IOException {
    spool = Spools.open(disk, base).createSpool(Spools.LIMITS);
    Spools.fill(spool);
    segments = Spools.segments(spool.path());
  }

  @AfterEach
  void close() {
    spool.close();
  }

  private SpoolView view(Disk with) {
    return new SpoolView(with, spool.path(), () -> committed);
  }

  /** Everything there is: records as their text, the rest in a word and numbers. */
  private static List<String> drain(SpoolView view) throws IOException {
    List<String> all = new ArrayList<>();
    RecordBatch batch = SpoolView.batch();
    MissingRecords found;
    do {
      long wanted = view.nextSequence();
      found = view.read(batch, 64);
      long missing = found == null ? 0 : found.count();
      long shipped = view.nextSequence() - wanted - batch.count() - missing;
      if (shipped > 0) {
        all.add("shipped " + wanted + "+" + shipped);
      }
      if (found != null) {
        all.add(missing == 0 ? "suspect" : "damaged " + found.fromSequence() + "+" + missing);
      }
      all.addAll(texts(batch));
    } while (found != null || batch.count() > 0);
    return all;
  }

  private List<String> drain() throws IOException {
    try (SpoolView view = view(disk)) {
      return drain(view);
    }
  }

  private void commit(long sequence) throws IOException {
    spool.source().seek(sequence);
    committed = sequence;
    spool.source().release(sequence);
  }

  /** What the owner does between two system calls of the reader. */
  private enum Meanwhile {
    SHIPS_ALL_AND_WRITES_ON,
    SHIPS_A_SEGMENT,
    WRITES,
    ENDS
  }

  private void happen(Meanwhile what) throws IOException {
    switch (what) {
      case SHIPS_ALL_AND_WRITES_ON -> {
        commit(18);
        Spools.fill(spool, 18, 40);
      }
      case SHIPS_A_SEGMENT -> commit(6);
      case WRITES -> Spools.fill(spool, 18, 30);
      case ENDS -> {
        commit(18);
        spool.discard();
      }
    }
  }

  /** At each call once: no damage is seen, and every record is read or known to be shipped. */
  @ParameterizedTest
  @EnumSource
  void whateverItsOwnerDoesMeanwhileIsNoDamage(Meanwhile what) throws IOException {
    int call = 1;
    while (tryAt(what, call)) {
      call++;
    }
    assertThat(call).isGreaterThan(10);
  }

  private boolean tryAt(Meanwhile what, int call) throws IOException {
    boolean any = false;
    for (Op op : List.of(Op.READ, Op.STAT, Op.LIST, Op.OPEN)) {
      spool.close();
      committed = 0;
      spool = Spools.open(disk, base).createSpool(Spools.LIMITS);
      Spools.fill(spool);
      FaultyDisk watched = new FaultyDisk(disk).before(op, call, () -> happen(what));
      List<String> found;
      try (SpoolView view = view(watched)) {
        found = drain(view);
      }
      long next = 0;
      for (String one : found) {
        if (one.startsWith("shipped")) {
          next += Long.parseLong(one.substring(one.indexOf('+') + 1));
        } else {
          assertThat(one).as("%s before %s %d: %s", what, op, call, found).isEqualTo(text(next));
          next++;
        }
      }
      assertThat(next).as("%s before %s %d", what, op, call).isGreaterThanOrEqualTo(18);
      any |= !watched.hasFaultsAhead();
    }
    return any;
  }

  private static String text(long sequence) {
    return Spools.text((int) sequence);
  }

  @Test
  void aFrameThatIsWrittenAfterItsPlaceWasReadIsNoDamage() throws IOException {
    Path last = segments.get(2);
    byte[] whole = Files.readAllBytes(last);
    byte[] torn = whole.clone();
    Arrays.fill(torn, 64 + 32, 64 + 64, (byte) 0);
    Files.write(last, torn);
    FaultyDisk watched = new FaultyDisk(disk);
    try (SpoolView view = view(watched)) {
      view.seek(13);
      // Reads: the header, twice for the frame, the search that finds a later one; then again.
      watched.affecting(last::equals).before(Op.READ, 5, () -> Files.write(last, whole));
      assertThat(drain(view)).isEqualTo(texts(13, 18));
      assertThat(watched.hasFaultsAhead()).isFalse();
    }
  }

  @Test
  void aMissingSegmentIsDamageUnlessItIsShipped() throws IOException {
    Files.delete(segments.get(1));

    assertThat(drain()).isEqualTo(texts("0-6", "damaged 6+6", "12-18"));
    committed = 9;
    assertThat(drain()).isEqualTo(texts("0-6", "damaged 6+6", "12-18"));

    Files.delete(segments.get(0));
    assertThat(drain()).isEqualTo(texts("shipped 0+9", "damaged 9+3", "12-18"));
    committed = 12;
    assertThat(drain()).isEqualTo(texts("shipped 0+12", "12-18"));
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // opening it would hang
  void aSegmentThatIsAPipeIsReportedAndNotOpened() throws Exception {
    Files.delete(segments.get(1));
    Command.run("mkfifo", "-m", "600", segments.get(1).toString());

    assertThat(drain()).isEqualTo(texts("0-6", "suspect", "damaged 6+6", "12-18"));
  }
}
