package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.NioDisk;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The right to enter the spool directory is taken away, while the log is healthy. */
class SpoolOutOfReachTest {

  /** What goes by a path; files that are open stay open. */
  private static final EnumSet<Op> BY_PATH = EnumSet.range(Op.OPEN, Op.REAL_PATH);

  @AutoClose("stop")
  private final LoggerContext context = new LoggerContext();

  private final FaultyDisk disk = new FaultyDisk(new NioDisk());

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shippingGoesOnAndNothingIsLost(boolean isGivenBack) throws Exception {
    Path base = Files.createDirectory(directory.resolve("spool"));
    Path log = directory.resolve("app.log");
    String elements =
        "<file>%s</file><spoolDirectory>%s</spoolDirectory><control>false</control>"
            .formatted(log, base);
    TieredAppender appender = Joran.tiered(context, disk, elements);
    Logger logger = context.getLogger("test");
    logger.info("0");
    assertThat(appender.flush(Duration.ofSeconds(30))).isTrue();
    disk.affecting(path -> path.startsWith(base));
    BY_PATH.forEach(op -> disk.failFrom(op, 1, () -> new AccessDeniedException(base.toString())));
    AtomicInteger logged = new AtomicInteger(1);
    Await.until(
        "a spool in the heap",
        () -> {
          logger.info("" + logged.getAndIncrement()); // an idle flusher does not look
          return hasWarned("in up to");
        });
    assertThat(appender.flush(Duration.ofSeconds(30))).isTrue();
    if (isGivenBack) {
      disk.heal();
    }
    logger.info("" + logged.getAndIncrement());
    assertThat(appender.flush(Duration.ofSeconds(30))).isTrue();
    context.stop();

    disk.heal();
    assertThat(hasWarned("cannot write")).isFalse();
    assertThat(appender.snapshot().dropped()).isZero();
    TieredAppender next = Joran.tiered(context, disk, elements);
    logger.info("" + logged.getAndIncrement());
    assertThat(next.flush(Duration.ofSeconds(30))).isTrue();
    next.stop(); // a context that was stopped does not do it again
    assertThat(Files.readAllLines(log))
        .isEqualTo(IntStream.range(0, logged.get()).mapToObj(Integer::toString).toList());
  }

  private boolean hasWarned(String text) {
    return context.getStatusManager().getCopyOfStatusList().stream()
        .anyMatch(one -> one.getLevel() > Status.INFO && one.getMessage().contains(text));
  }

  @Test
  void aFileInThePlaceOfADirectoryMeansThatNothingIsThere() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));

    assertThat(new NioDisk().stat(file.resolve("spool/lock"))).isNull();
  }
}
