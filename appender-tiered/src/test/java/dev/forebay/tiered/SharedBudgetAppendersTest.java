package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.host.FileTree;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.disk.Scratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Appenders of one context whose logs cannot be written, with all defaults but small segments. */
@Tag("once")
class SharedBudgetAppendersTest {

  private static final int SEGMENT_BYTES = 64 * 1024;
  private static final long MINIMUM_BYTES = 2 * SEGMENT_BYTES;
  private static final long BUDGET_BYTES = 1 << 20;
  private static final int APPENDERS = 20;
  private static final int BURST = 20;
  private static final String TEXT = "x".repeat(2000);

  @AutoClose private final Scratch scratch = new Scratch();

  private final LoggerContext context = new LoggerContext();

  SharedBudgetAppendersTest() throws IOException {}

  private TieredAppender start(int number) throws IOException {
    Path blocked = scratch.directory("blocked" + number); // no log file can be here
    TieredAppender appender =
        Joran.unstarted(context, "A" + number, blocked, scratch.directory("spool"));
    appender.setSegmentSize(new FileSize(SEGMENT_BYTES));
    appender.setRingBufferSize(BURST);
    appender.setMaxFlushTime("100 ms");
    Logger logger = context.getLogger("log" + number);
    logger.setLevel(Level.ERROR);
    logger.addAppender(appender);
    appender.start();
    return appender;
  }

  /** Of a file system of which the budget is a quarter. */
  private long freeBytes() {
    try {
      return 4 * BUDGET_BYTES
          - FileTree.files(scratch.path()).stream().mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long shown(int number, String name) throws Exception {
    return Beans.account(Beans.await("shared-budget", "A" + number)).get(name);
  }

  /** Its ring is emptied no more, since the spool has as much as it may have. */
  private boolean isFull(int number) throws Exception {
    return shown(number, "spoolBytes") >= MINIMUM_BYTES
        && shown(number, "spoolBytes") == shown(number, "spoolLimitBytes")
        && shown(number, "dropped") > 0;
  }

  @Test
  void twentyOfThemStayTogetherWithinTheBudgetOfOneAndAMinimumEach() throws Exception {
    context.setName("shared-budget");
    context.setMDCAdapter(new LogbackMDCAdapter());
    Disk before = NioDisk.current();
    NioDisk.replaceWith(new FaultyDisk(before).claimFree(this::freeBytes));
    List<TieredAppender> appenders = new ArrayList<>();
    try {
      for (int i = 0; i < APPENDERS; i++) {
        appenders.add(start(i));
      }
      long sum = 0;
      for (int i = 0; i < APPENDERS; i++) {
        while (!isFull(i)) {
          context.getLogger("log" + i).error(TEXT);
        }
        assertThat(shown(i, "spoolBytes")).isGreaterThanOrEqualTo(MINIMUM_BYTES);
        sum += shown(i, "spoolBytes");
      }
      assertThat(sum)
          .isBetween(BUDGET_BYTES - SEGMENT_BYTES, BUDGET_BYTES + APPENDERS * MINIMUM_BYTES);
    } finally {
      appenders.forEach(TieredAppender::stop);
      NioDisk.replaceWith(before);
    }
  }
}
