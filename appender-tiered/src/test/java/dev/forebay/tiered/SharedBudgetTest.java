package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.host.FileTree;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolBudget;
import dev.forebay.tiered.spool.SpoolBudgets;
import dev.forebay.tiered.spool.SpoolNames;
import dev.forebay.tiered.spool.SpoolWriter.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Spools of default size, of many appenders and of many lives, on one tmpfs. */
@Tag("once")
class SharedBudgetTest {

  private static final int SEGMENT_BYTES = 64 * 1024;

  private static final long MINIMUM_BYTES = 2 * SEGMENT_BYTES;

  /** Of the file system, of which spools of default size take a quarter. */
  private static final long SIZE_BYTES = 4 << 20;

  private static final long BUDGET_BYTES = SIZE_BYTES / 4;

  private static final byte[] RECORD = new byte[1000];

  @AutoClose private final Scratch scratch = new Scratch();

  private final FaultyDisk disk =
      new FaultyDisk(new NioDisk()).claimFree(() -> SIZE_BYTES - bytesOfAll());

  private long nowNs = -5;

  SharedBudgetTest() throws IOException {}

  private final class Life {
    final SpoolBudgets budgets = new SpoolBudgets();

    Spool open(String log, @Nullable Long spoolBytes) {
      return opener(log, spoolBytes).open();
    }

    Spool open(String log) {
      return open(log, null);
    }

    SpoolOpener opener(String log, @Nullable Long spoolBytes) {
      StartRig start =
          StartRig.of(
              Path.of(log), scratch.path(), spoolBytes, null, disk, () -> nowNs, text -> {});
      start.locator().run();
      return new SpoolOpener(start.context(), start.locator(), start.account(), budgets);
    }
  }

  private long bytesOfAll() {
    try {
      return FileTree.files(scratch.path()).stream()
          .mapToLong(file -> file.toFile().length())
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fills a spool; how many records it took. */
  private static int fill(Spool opened) throws IOException {
    int records = 0;
    while (append(opened)) {
      records++;
    }
    return records;
  }

  private static boolean append(Spool opened) throws IOException {
    var writer = opened.writer();
    boolean isAdded = writer.append(RECORD, 0, RECORD.length, 2) == Outcome.ADDED;
    writer.flush();
    return isAdded;
  }

  @Test
  void livesThatDieWithAFullSpoolStayWithinOneBudgetAndAMinimumEach() throws IOException {
    for (int life = 0; life < 5; life++) {
      Spool opened = new Life().open("/app.log");
      fill(opened);
      opened.close(); // as the end of its process leaves it
      nowNs += 60_000_000_000L;
      assertThat(bytesOfAll())
          .as("after life %s", life)
          .isBetween(
              BUDGET_BYTES - MINIMUM_BYTES,
              BUDGET_BYTES + life * MINIMUM_BYTES + MINIMUM_BYTES / 2);
    }
  }

  @Test
  void theCapGrowsAgainWhenTheSpoolsOfTheDeadAreShipped() throws IOException {
    Spool dead = new Life().open("/app.log");
    int whole = fill(dead);
    dead.close();
    Spool opened = new Life().open("/other.log");
    assertThat(opened.limitBytes()).isEqualTo(MINIMUM_BYTES);
    int few = fill(opened);
    assertThat(few).isLessThan(whole / 4);
    for (RecordSource orphan : dead.directory().orphans(SpoolNames.SPOOL)) {
      orphan.discard();
    }
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(few + fill(opened)).isEqualTo(whole);
  }

  /** Another web application, with classes of its own, or another process. */
  @Test
  void whatOthersWhoLiveHaveCountsAsWell() throws IOException {
    Spool noisy = new Life().open("/app.log");
    Spool quiet = new Life().open("/other.log");
    fill(noisy);
    nowNs += SpoolBudget.LOOK_NS;
    fill(quiet);
    assertThat(quiet.usedBytes()).isEqualTo(MINIMUM_BYTES);
    nowNs += SpoolBudget.LOOK_NS;
    assertThat(append(noisy)).isFalse();
  }

  @Test
  void aConfiguredSizeIsBesideWhatTheOthersShare() throws IOException {
    Life life = new Life();
    Spool large = life.open("/large.log", 2 * BUDGET_BYTES);
    fill(large);
    assertThat(large.usedBytes()).isEqualTo(2 * BUDGET_BYTES);
    nowNs += SpoolBudget.LOOK_NS;
    Spool usual = life.open("/app.log");
    fill(usual);
    assertThat(usual.usedBytes()).isGreaterThan(BUDGET_BYTES - MINIMUM_BYTES);
  }

  @Test
  void spoolsInTheHeapShareAsWell() throws IOException {
    Life life = new Life();
    long heapBytes = SpoolBudgets.heapSpoolBytes(Runtime.getRuntime().maxMemory(), null);
    List<Spool> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      LogIdentity log = LogIdentity.of(disk, Path.of("/app" + i + ".log"));
      all.add(life.opener("/app" + i + ".log", null).openHeap(log, "full", new IOException()));
      fill(all.get(i));
    }
    long sum = all.stream().mapToLong(opened -> opened.usedBytes()).sum();
    assertThat(sum).isBetween(heapBytes, heapBytes + 4 * MINIMUM_BYTES);
    for (Spool opened : all) {
      opened.discard();
    }
  }

  private TieredAppender start(LoggerContext context, int number) throws IOException {
    Path blocked = scratch.directory("blocked" + number); // no log file can be here
    TieredAppender appender =
        Joran.unstarted(context, "A" + number, blocked, scratch.directory("spool"));
    appender.setSegmentSize(new FileSize(SEGMENT_BYTES));
    appender.setRingBufferSize(20);
    appender.setMaxFlushTime("100 ms");
    context.getLogger("log" + number).addAppender(appender);
    appender.start();
    return appender;
  }

  private static long shown(int number, String name) throws Exception {
    return Beans.account(Beans.await("shared-budget", "A" + number)).get(name);
  }

  /** Its ring is emptied no more, since the spool has as much as it may have. */
  private static boolean isFull(int number) throws Exception {
    return shown(number, "spoolBytes") >= MINIMUM_BYTES
        && shown(number, "spoolBytes") == shown(number, "spoolLimitBytes")
        && shown(number, "dropped") > 0;
  }

  @Test
  void twentyAppendersStayTogetherWithinTheBudgetOfOneAndAMinimumEach() throws Exception {
    int count = 20;
    LoggerContext context = new LoggerContext();
    context.setName("shared-budget");
    Disk before = NioDisk.current();
    NioDisk.replaceWith(disk);
    List<TieredAppender> appenders = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        appenders.add(start(context, i));
      }
      long sum = 0;
      for (int i = 0; i < count; i++) {
        while (!isFull(i)) {
          context.getLogger("log" + i).error("x".repeat(2000));
        }
        sum += shown(i, "spoolBytes");
      }
      assertThat(sum).isBetween(BUDGET_BYTES - SEGMENT_BYTES, BUDGET_BYTES + count * MINIMUM_BYTES);
    } finally {
      appenders.forEach(TieredAppender::stop);
      NioDisk.replaceWith(before);
    }
  }
}
