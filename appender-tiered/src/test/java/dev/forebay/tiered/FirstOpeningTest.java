package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import dev.forebay.host.Await;
import dev.forebay.host.FileTree;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.disk.Scratch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log that cannot be opened when its appender starts, and what the user hears of it. */
class FirstOpeningTest {

  private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

  @TempDir Path directory;

  private final LoggerContext context = new LoggerContext();
  private TieredAppender appender = new TieredAppender();
  private final FaultyDisk disk = new FaultyDisk(new NioDisk());

  /** Holds the disk where a test says so. */
  private final CountDownLatch thaw = new CountDownLatch(1);

  @BeforeEach
  void createPlaces() throws IOException {
    Files.createDirectory(directory.resolve("spool"));
    Files.writeString(directory.resolve("file"), "in the way");
  }

  @AfterEach
  void stop() {
    NioDisk.replaceWith(new NioDisk());
    thaw.countDown();
    context.stop();
  }

  private Path log() {
    return directory.resolve("app.log");
  }

  private TieredAppender start(String file) {
    return start(file, directory.resolve("spool"));
  }

  private TieredAppender start(String file, Path spool) {
    appender = Joran.unstarted(context, "FILE", directory.resolve(file), spool);
    appender.setMaxFlushTime("100 ms");
    appender.openingNs = LONG_NS;
    context.getLogger("ROOT").addAppender(appender);
    appender.start();
    return appender;
  }

  @Test
  void aFailureIsOneErrorWithItsCauseWhenTheStartReturns() throws Exception {
    start("file/app.log");

    assertThat(appender.isStarted()).isTrue();
    context.getLogger("test").info("spooled");
    assertThat(appender.flush(Duration.ofMillis(500))).isFalse();
    Await.said();
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .filteredOn(status -> status.getMessage().contains("cannot write "))
        .singleElement()
        .satisfies(this::isFailedOpening);

    Files.delete(directory.resolve("file"));
    assertThat(appender.flush(Duration.ofSeconds(30))).isTrue();
    assertThat(directory.resolve("file/app.log")).hasContent("spooled");
  }

  private void isFailedOpening(Status status) {
    assertThat(status.getLevel()).isEqualTo(Status.ERROR);
    assertThat(status.getMessage())
        .startsWith("Appender [FILE]: cannot write " + directory.resolve("file/app.log") + ": ")
        .contains("events stay in the spool");
    assertThat(status.getThrowable()).as("its frames say nothing").isNull();
  }

  /** A sifting appender starts those of its values there; anywhere else this would wait. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void nothingWaitsInsideALogCall() throws Exception {
    disk.affecting(path -> path.endsWith("app.log"))
        .before(FaultyDisk.Op.OPEN, 1, () -> Await.latch(thaw));
    NioDisk.replaceWith(disk);
    AppenderBase<ILoggingEvent> sifting =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            FirstOpeningTest.this.start("app.log");
          }
        };
    sifting.setContext(context);
    sifting.start();
    sifting.doAppend(new LoggingEvent());
    assertThat(appender.isStarted()).isTrue();
    assertThat(log()).doesNotExist();
  }

  /**
   * A start that waits for nothing, in a log call for instance, returns before there is a spool.
   */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aDurableCallWaitsForTheSpoolToBeOpened() throws Exception {
    disk.affecting(path -> path.equals(directory))
        .before(FaultyDisk.Op.REAL_PATH, 1, () -> Await.latch(thaw));
    NioDisk.replaceWith(disk);
    appender = Joran.unstarted(context, "FILE", log(), directory.resolve("spool"));
    appender.setDurability("call");
    appender.setDurabilityTimeout("1 minute");
    appender.openingNs = 0;
    context.getLogger("ROOT").addAppender(appender);
    appender.start();
    context.getLogger("test").info("durable");
    assertThat(FileTree.contains(directory.resolve("spool"), "durable")).isTrue();
    assertThat(appender.snapshot().unconfirmed()).isZero();
    thaw.countDown();
    appender.stop();
    assertThat(log()).hasContent("durable");
  }

  /** Only what is committed has to be on the disk, the name of a new file with it. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void noStartWaitsForAnFsync() throws Exception {
    AtomicLong forcedNames = new AtomicLong();
    disk.affecting(path -> path.endsWith("app.log") || path.equals(directory))
        .before(FaultyDisk.Op.FORCE, 1, () -> Await.latch(thaw))
        .before(
            FaultyDisk.Op.FORCE_DIRECTORY,
            1,
            () -> {
              Await.latch(thaw);
              forcedNames.incrementAndGet();
            });
    NioDisk.replaceWith(disk);
    start("app.log");
    context.getLogger("test").info("first");
    assertThat(appender.flush(Duration.ofMillis(1))).isFalse();
    assertThat(forcedNames).hasValue(0);
    thaw.countDown();
    assertThat(appender.flush(Duration.ofSeconds(15))).isTrue();
    assertThat(forcedNames).hasValue(1);
  }

  /** With a checkpoint in memory; else many starts at once would wait for each other's flushes. */
  @Test
  void aStartOnAnEmptyLogForcesNothing() throws Exception {
    disk.affecting(path -> path.endsWith("app.log") || path.equals(directory));
    NioDisk.replaceWith(disk);
    try (Scratch memory = new Scratch()) {
      start("app.log", memory.path()).stop();
      assertThat(disk.calls(FaultyDisk.Op.OPEN)).isPositive();
      assertThat(disk.calls(FaultyDisk.Op.FORCE)).isZero();
      assertThat(disk.calls(FaultyDisk.Op.FORCE_DIRECTORY)).isZero();

      start("app.log", memory.path());
      context.getLogger("test").info("first");
      assertThat(appender.flush(Duration.ofSeconds(15))).isTrue();
      appender.stop();
      assertThat(disk.calls(FaultyDisk.Op.FORCE)).isPositive();
      assertThat(disk.calls(FaultyDisk.Op.FORCE_DIRECTORY)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFailureThatLastsIsPrintedOnceWhereNobodyListens(boolean isHeard) {
    AtomicLong now = new AtomicLong();
    appender.setContext(context);
    if (isHeard) {
      context.getStatusManager().add((StatusListener) status -> {});
    }
    ShippingMetrics account =
        StartRig.of(log(), directory, null, null, new NioDisk(), now::get, appender.statuses)
            .account();
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      account.failed(new IOException("first"));
      account.worked();
      for (String cause : List.of("anew", "lasting\nand forged", "again")) {
        now.addAndGet(ShippingMetrics.LASTS_NS);
        account.failed(new IOException(cause));
      }
      Await.said();
    } finally {
      System.setErr(before);
    }
    String text = printed.toString(StandardCharsets.UTF_8);
    if (isHeard) {
      assertThat(text).isEmpty();
    } else {
      assertThat(text.lines()).singleElement().asString().contains("cannot write", "lasting");
    }
  }
}
