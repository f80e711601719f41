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
import ch.qos.logback.core.status.StatusListener;
import dev.forebay.agent.NanoClock;
import dev.forebay.host.Await;
import dev.forebay.observe.Ledger;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
  private final List<String> warnings = new ArrayList<>();

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
    try {
      sifting.doAppend(new LoggingEvent());
      assertThat(appender.isStarted()).isTrue();
      assertThat(directory.resolve("app.log")).doesNotExist();
    } finally {
      NioDisk.replaceWith(new NioDisk());
      thaw.countDown();
    }
  }

  /** Only what is committed has to be on the disk, the name of a new file with it. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void noStartWaitsForAnFsync() throws Exception {
    CountDownLatch thaw = new CountDownLatch(1);
    AtomicLong forcedNames = new AtomicLong();
    FaultyDisk disk = new FaultyDisk(new NioDisk());
    disk.affecting(path -> path.endsWith("app.log") || path.equals(directory))
        .before(FaultyDisk.Op.FORCE, 1, () -> awaitUninterruptibly(thaw))
        .before(
            FaultyDisk.Op.FORCE_DIRECTORY,
            1,
            () -> {
              awaitUninterruptibly(thaw);
              forcedNames.incrementAndGet();
            });
    NioDisk.replaceWith(disk);
    try {
      start("app.log");
      context.getLogger("test").info("first");
      assertThat(appender.flush(Duration.ofMillis(1))).isFalse();
      assertThat(forcedNames).hasValue(0);
      thaw.countDown();
      assertThat(appender.flush(Duration.ofSeconds(15))).isTrue();
      assertThat(forcedNames).hasValue(1);
    } finally {
      NioDisk.replaceWith(new NioDisk());
      thaw.countDown();
    }
  }

  @Test
  void aLogThatOpensIsWaitedForAndNoStatusIsMade() {
    start("app.log");
    assertThat(directory.resolve("app.log")).exists();
    assertThat(errors()).isEmpty();
  }

  private ShippingMetrics account(TieredAppender of, NanoClock clock) {
    return Starts.of(
            directory.resolve("app.log"),
            directory,
            null,
            new Ledger(),
            new NioDisk(),
            clock,
            Starts.voice(warnings::add),
            of)
        .account;
  }

  @Test
  void theFirstAttemptIsReportedByWhoWaitsForIt() throws Exception {
    ShippingMetrics account = account(appender, NanoClock.SYSTEM);
    Exception cause = new IOException("no");
    Thread shipper =
        new Thread(
            () -> {
              account.worked(); // there is nothing to ship yet
              account.openingFailed(cause);
              account.failed(cause);
              account.openingFailed(cause);
            });
    shipper.start();
    assertThat(account.awaitOpening(LONG_NS)).isSameAs(cause);
    shipper.join();
    assertThat(warnings).isEmpty();
  }

  @Test
  void whoComesTooLateReportsItHimself() {
    ShippingMetrics account = account(appender, NanoClock.SYSTEM);
    assertThat(account.awaitOpening(0)).isNull();
    account.openingFailed(new IOException("no"));
    account.openingFailed(new IOException("no"));
    assertThat(warnings).singleElement().asString().contains("cannot write");
  }

  @Test
  void nobodyWaitsWhereThereIsNothingToWaitFor() {
    ShippingMetrics withoutSpool = account(appender, NanoClock.SYSTEM);
    withoutSpool.tried();
    assertThat(withoutSpool.awaitOpening(Long.MAX_VALUE / 2)).isNull();

    ShippingMetrics withoutLock = account(appender, NanoClock.SYSTEM);
    withoutLock.waits("another has it");
    assertThat(withoutLock.awaitOpening(Long.MAX_VALUE / 2)).isNull();
    assertThat(warnings).singleElement().asString().contains("another has it");
    warnings.clear();

    ShippingMetrics failing = account(appender, NanoClock.SYSTEM);
    failing.unreadable(new IOException("no"));
    assertThat(failing.awaitOpening(Long.MAX_VALUE / 2)).isNull();
    warnings.clear();

    ShippingMetrics opened = account(appender, NanoClock.SYSTEM);
    opened.opened();
    assertThat(opened.awaitOpening(Long.MAX_VALUE / 2)).isNull();
    opened.openingFailed(new IOException("later"));
    assertThat(warnings).isEmpty();
  }

  @Test
  void anInterruptEndsTheWaitAndIsKept() {
    Thread.currentThread().interrupt();
    assertThat(account(appender, NanoClock.SYSTEM).awaitOpening(LONG_NS)).isNull();
    assertThat(Thread.interrupted()).isTrue();
  }

  /** What is printed meanwhile, by any thread. */
  private static String printed(Runnable work) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      work.run();
      Await.until(
          "printed",
          () ->
              Thread.getAllStackTraces().keySet().stream()
                  .noneMatch(thread -> thread.getName().equals("forebay-last-resort")));
    } finally {
      System.setErr(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private void failFor(ShippingMetrics account, AtomicLong now) {
    account.failed(new IOException("first"));
    now.addAndGet(ShippingMetrics.LASTS_NS - 1);
    account.failed(new IOException("not yet"));
    account.worked();
    now.addAndGet(ShippingMetrics.LASTS_NS);
    account.failed(new IOException("anew"));
    now.addAndGet(ShippingMetrics.LASTS_NS);
    account.failed(new IOException("lasting\nand forged"));
    now.addAndGet(ShippingMetrics.LASTS_NS);
    account.failed(new IOException("again"));
  }

  @Test
  void aFailureThatLastsIsSaidOnceWhereNobodyListens() {
    AtomicLong now = new AtomicLong();
    appender.setContext(context);
    ShippingMetrics account = account(appender, now::get);
    assertThat(printed(() -> failFor(account, now)).lines())
        .singleElement()
        .asString()
        .contains("cannot write", "lasting");
  }

  @Test
  void aFailureThatLastsIsLeftToTheListenerWhereThereIsOne() {
    AtomicLong now = new AtomicLong();
    appender.setContext(context);
    context.getStatusManager().add((StatusListener) status -> {});
    ShippingMetrics account = account(appender, now::get);
    assertThat(printed(() -> failFor(account, now))).isEmpty();
  }
}
