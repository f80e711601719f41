package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.status.Status;
import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.CurrentDisk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log that cannot be opened when its appender starts, and what the user hears of it. */
class FirstOpeningTest {

  private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

  @TempDir Path directory;

  private final LoggerContext context = new LoggerContext();
  private final TieredAppender appender = new TieredAppender();

  @BeforeEach
  void createPlaces() throws IOException {
    context.setMDCAdapter(new LogbackMDCAdapter());
    Files.createDirectory(directory.resolve("spool"));
    Files.writeString(directory.resolve("file"), "in the way");
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  private TieredAppender start(String file) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%msg%n");
    encoder.start();
    appender.setContext(context);
    appender.setName("FILE");
    appender.setFile(directory.resolve(file).toString());
    appender.setSpoolDirectory(directory.resolve("spool").toString());
    appender.setMaxFlushTime("100 ms");
    appender.setEncoder(encoder);
    appender.openingNs = LONG_NS;
    context.getLogger("ROOT").addAppender(appender);
    appender.start();
    return appender;
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Status> errors() {
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getLevel() == Status.ERROR)
        .toList();
  }

  @Test
  void aFailureIsAnErrorWithItsCauseWhenTheStartReturns() {
    start("file/app.log");
    assertThat(errors()).singleElement().satisfies(this::isFailedOpening);
    assertThat(appender.isStarted()).isTrue();
  }

  private void isFailedOpening(Status status) {
    assertThat(status.getMessage())
        .startsWith("Appender [FILE]: cannot write " + directory.resolve("file/app.log") + ": ")
        .contains("events stay in the spool");
    assertThat(status.getThrowable()).isInstanceOf(IOException.class);
  }

  @Test
  void theSameFailureIsNotSaidAgain() throws Exception {
    start("file/app.log");
    context.getLogger("test").info("spooled");
    assertThat(appender.flush(Duration.ofMillis(500))).isFalse();
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .filteredOn(status -> status.getMessage().contains("cannot write "))
        .hasSize(1);
    Files.delete(directory.resolve("file"));
    assertThat(appender.flush(Duration.ofSeconds(30))).isTrue();
    assertThat(directory.resolve("file/app.log")).hasContent("spooled");
  }

  /** As those who end an application that cannot log do it. */
  @Test
  void whatAStatusListenerThrowsEndsTheStartAndLeavesNoThread() {
    context
        .getStatusManager()
        .add(
            status -> {
              if (status.getLevel() == Status.ERROR) {
                throw new AssertionError("no log, no application");
              }
            });
    assertThatThrownBy(() -> start("file/app.log"))
        .hasStackTraceContaining("no log, no application");
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.contains("[FILE]"));
  }

  /** A sifting appender starts those of its values there; anywhere else this would wait. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void nothingWaitsInsideALogCall() throws Exception {
    CountDownLatch thaw = new CountDownLatch(1);
    FaultyDisk disk = new FaultyDisk(new NioDisk());
    disk.affecting(path -> path.endsWith("app.log"))
        .before(FaultyDisk.Op.OPEN, 1, () -> awaitUninterruptibly(thaw));
    CurrentDisk.replaceWith(disk);
    AppenderBase<ILoggingEvent> sifting =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            FirstOpeningTest.this.start("app.log");
          }
        };
    sifting.setContext(context);
    sifting.start();
    try {
      sifting.doAppend(new LoggingEvent());
      assertThat(appender.isStarted()).isTrue();
      assertThat(directory.resolve("app.log")).doesNotExist();
    } finally {
      CurrentDisk.replaceWith(new NioDisk());
      thaw.countDown();
    }
  }

  @Test
  void aLogThatOpensIsWaitedForAndNoStatusIsMade() {
    start("app.log");
    assertThat(directory.resolve("app.log")).exists();
    assertThat(errors()).isEmpty();
  }

  @Test
  void theFirstAttemptIsReportedByWhoWaitsForIt() throws Exception {
    FirstOpening opening = new FirstOpening();
    Exception cause = new IOException("no");
    Thread shipper =
        new Thread(
            () -> {
              opening.spoolTried(true);
              opening.turnEnded(); // began before there was a spool
              assertThat(opening.failed(cause)).isEqualTo(FirstOpening.Report.BY_STARTER);
              assertThat(opening.failed(cause)).isEqualTo(FirstOpening.Report.NONE);
            });
    shipper.start();
    assertThat(opening.await(NanoClock.SYSTEM, LONG_NS)).isSameAs(cause);
    shipper.join();
  }

  @Test
  void whoComesTooLateReportsItHimself() {
    FirstOpening opening = new FirstOpening();
    assertThat(opening.await(NanoClock.SYSTEM, 0)).isNull();
    assertThat(opening.failed(new IOException("no"))).isEqualTo(FirstOpening.Report.BY_CALLER);
    assertThat(opening.failed(new IOException("no"))).isEqualTo(FirstOpening.Report.NONE);
  }

  @Test
  void nobodyWaitsWhereThereIsNothingToWaitFor() {
    FirstOpening withoutSpool = new FirstOpening();
    withoutSpool.spoolTried(false);
    assertThat(withoutSpool.await(NanoClock.SYSTEM, Long.MAX_VALUE / 2)).isNull();

    FirstOpening withoutLock = new FirstOpening();
    withoutLock.turnEnded();
    withoutLock.spoolTried(true);
    withoutLock.turnEnded();
    withoutLock.turnEnded();
    assertThat(withoutLock.await(NanoClock.SYSTEM, Long.MAX_VALUE / 2)).isNull();

    FirstOpening opened = new FirstOpening();
    opened.opened();
    assertThat(opened.await(NanoClock.SYSTEM, Long.MAX_VALUE / 2)).isNull();
    assertThat(opened.failed(new IOException("later"))).isEqualTo(FirstOpening.Report.NONE);
  }

  @Test
  void anInterruptEndsTheWaitAndIsKept() {
    Thread.currentThread().interrupt();
    assertThat(new FirstOpening().await(NanoClock.SYSTEM, LONG_NS)).isNull();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aFailureThatLastsIsSaidOnceWhereNobodyListens() {
    AtomicLong now = new AtomicLong();
    AtomicBoolean heard = new AtomicBoolean();
    List<String> said = new ArrayList<>();
    LastResort lastResort = new LastResort(heard::get, now::get, said::add);
    lastResort.failed("first");
    now.addAndGet(LastResort.LASTS_NS - 1);
    lastResort.failed("not yet");
    lastResort.succeeded();
    now.addAndGet(LastResort.LASTS_NS);
    lastResort.failed("anew");
    assertThat(said).isEmpty();
    now.addAndGet(LastResort.LASTS_NS);
    lastResort.failed("lasting\nand forged");
    now.addAndGet(LastResort.LASTS_NS);
    lastResort.failed("again");
    assertThat(said).singleElement().asString().startsWith("lasting").doesNotContain("\n");
  }

  @Test
  void aFailureThatLastsIsLeftToTheListenerWhereThereIsOne() {
    AtomicLong now = new AtomicLong();
    List<String> said = new ArrayList<>();
    LastResort lastResort = new LastResort(() -> true, now::get, said::add);
    lastResort.failed("first");
    now.addAndGet(LastResort.LASTS_NS);
    lastResort.failed("lasting");
    assertThat(said).isEmpty();
  }
}
