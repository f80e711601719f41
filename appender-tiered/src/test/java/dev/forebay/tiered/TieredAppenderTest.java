package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.forebay.host.Await;
import dev.forebay.host.FileTree;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.observe.StatusFailureListener;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TieredAppenderTest {

  /** What can make one line two, or a terminal show something else. */
  private static final Pattern FORGING = Pattern.compile("[\\p{Cc}\u2028\u2029\u202E]");

  @TempDir Path directory;

  private final LoggerContext context = new LoggerContext();

  private TieredAppender configure(String inner) throws JoranException {
    return Joran.tiered(context, "<file>%s/app.log</file>%s".formatted(directory, inner));
  }

  /** With a spool of its own: what is left in a shared one would be reported to other appenders. */
  private TieredAppender configureBlocked() throws JoranException, IOException {
    Path spool = Files.createDirectory(directory.resolve("spool"));
    return configure(
        "<maxFlushTime>20 milliseconds</maxFlushTime><spoolDirectory>%s</spoolDirectory>"
            .formatted(spool));
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  @Test
  void everyEventIsInTheFileAfterStop() throws JoranException, IOException {
    TieredAppender appender = configure("");
    Logger logger = context.getLogger("test");

    for (int i = 0; i < 1000; i++) {
      logger.info("event {}", i);
    }
    context.stop();

    assertThat(lines()).isEqualTo(IntStream.range(0, 1000).mapToObj(i -> "event " + i).toList());
    assertThat(appender.snapshot().toString())
        .isEqualTo("offered 1000 = delivered 1000 + dropped 0 {} + in flight 0");
    Await.said();
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .noneMatch(status -> status.getEffectiveLevel() > 0);
  }

  @Test
  void aFlushForcesAndTheWatermarkCountsWhatThisStartHasForced() throws Exception {
    TieredAppender appender = configure("<fsync>1 hour</fsync>");
    assertThat(appender.snapshot().durableUpTo()).hasValue(0);
    Logger logger = context.getLogger("test");
    logger.info("first");
    logger.info("second");
    assertThat(appender.flush(Duration.ofSeconds(10))).isTrue();
    assertThat(lines()).containsExactly("first", "second");
    assertThat(appender.snapshot().delivered()).isEqualTo(2);
    assertThat(appender.snapshot().durableUpTo()).hasValue(2);

    appender.stop();
    assertThat(appender.snapshot().durableUpTo()).hasValue(2);
    appender.start();
    assertThat(appender.snapshot().durableUpTo()).hasValue(0);
    logger.info("third");
    assertThat(appender.flush(Duration.ofSeconds(10))).isTrue();
    assertThat(appender.snapshot().durableUpTo()).hasValue(1);
    appender.stop();
    appender.setFsync("never");
    appender.start();
    logger.info("in the log");
    assertThat(appender.flush(Duration.ofSeconds(10))).isTrue();
    assertThat(appender.snapshot().durableUpTo()).hasValue(0);
  }

  @Test
  void statusTextsHoldNoControlCharactersOfOthers() throws Exception {
    Path inTheWay = Files.writeString(directory.resolve("a\nERROR forged\u001B[31m"), "x");
    TieredAppender appender = configure("");
    appender.stop();
    StatusFailureListener listener = new StatusFailureListener();
    listener.setContext(context);
    appender.addListener(listener);
    appender.setReportInterval("10 ms");
    appender.setName("FILE\r\nERROR forged");
    appender.setFile(inTheWay + "/app.log");
    appender.setSpoolDirectory("/nowhere\nERROR forged\u009B31m\u2028\u202E");
    appender.setUrgentLevel("\nERROR forged");
    appender.start();
    assertThat(appender.isStarted()).isFalse();
    appender.setUrgentLevel("ERROR");
    appender.start();
    context.getLogger("test").info("event");
    for (int i = 0; i < 100 && warnings().noneMatch(text -> text.contains(" failed ")); i++) {
      assertThat(appender.flush(Duration.ofMillis(100))).isFalse();
    }
    Files.delete(inTheWay);
    assertThat(appender.flush(Duration.ofSeconds(10))).isTrue();
    context.stop();

    List<String> texts = warnings().toList();
    assertThat(texts)
        .anyMatch(text -> text.contains("<urgentLevel>"))
        .anyMatch(text -> text.contains("<spoolDirectory>"))
        .anyMatch(text -> text.contains("cannot write "))
        .anyMatch(text -> text.contains("app.log failed "));
    assertThat(texts).noneMatch(text -> FORGING.matcher(text).find());
  }

  @Test
  void anEventWhoseWayToTheSpoolEndsInAnErrorIsCountedOnce() throws Exception {
    FaultyDisk disk = new FaultyDisk(NioDisk.current());
    TieredAppender appender =
        Joran.tiered(context, disk, "<file>%s/app.log</file>".formatted(directory));
    Logger logger = context.getLogger("test");
    logger.info("first");
    assertThat(appender.flush(Duration.ofSeconds(10))).isTrue();
    disk.affecting(path -> path.toString().endsWith(".seg"));
    for (int nth = 1; nth <= 4; nth++) {
      disk.before(
          FaultyDisk.Op.WRITE,
          nth,
          () -> {
            throw new OutOfMemoryError("direct memory, as a test wants it");
          });
    }
    for (int i = 0; i < 4; i++) {
      logger.info("large " + i + "x".repeat(100_000));
      logger.info("small " + i);
    }
    context.stop();
    LedgerSnapshot account = appender.snapshot();
    assertThat(account.inFlight()).isZero();
    assertThat(account.offered()).isEqualTo(account.delivered() + account.dropped());
    assertThat(lines()).doesNotHaveDuplicates().hasSize((int) account.delivered());
  }

  private Stream<String> warnings() {
    return Joran.problems(context).stream();
  }

  @Test
  void aFlushDoesNotWaitForWhatStopHasLeftInTheSpool() throws Exception {
    Path blocked = Files.createDirectory(directory.resolve("app.log")); // no log file can be here
    TieredAppender appender = configureBlocked();
    context.getLogger("test").info("spooled");
    Await.until("in a segment", () -> FileTree.contains(directory.resolve("spool"), "spooled"));
    appender.stop();
    CompletableFuture<Boolean> flushed =
        CompletableFuture.supplyAsync(() -> appender.flush(Duration.ofHours(1)));

    assertThat(flushed.get(20, TimeUnit.SECONDS)).isFalse();
    assertThat(appender.snapshot().inFlight()).isOne();
    Files.delete(blocked);
    appender.start(); // ships it
  }

  /** Of a segment of 64 KB the first events leave some room, but not for the last one. */
  @Test
  void theLastEventThatFoundTheSpoolFullReachesTheLogWithoutAnotherEvent() throws Exception {
    FaultyDisk disk = Joran.failing(path -> path.endsWith("app.log"), FaultyDisk.Op.WRITE);
    TieredAppender appender =
        Joran.tiered(
            context,
            disk,
            """
            <file>%s/app.log</file><spoolDirectory>%s</spoolDirectory>
            <segmentSize>64KB</segmentSize><spoolSize>64KB</spoolSize>
            """
                .formatted(directory, Files.createDirectory(directory.resolve("spool"))));
    Logger logger = context.getLogger("test");
    IntStream.range(0, 60).forEach(i -> logger.info("x".repeat(1000)));
    logger.info("y".repeat(5000));
    ObjectName bean = Beans.await("tiered", "FILE");
    Await.until("all have left the ring", () -> Beans.account(bean).get("ringFill").equals(0L));

    disk.heal();

    assertThat(appender.flush(Duration.ofSeconds(20))).isTrue();
    assertThat(appender.snapshot().delivered()).isEqualTo(61);
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(directory.resolve("app.log"));
  }

  @Test
  void theBeanShowsCountersAndTakesNothingButATimeAndAReason() throws Exception {
    context.setName("tiered-bean");
    TieredAppender appender =
        Joran.unstarted(context, "A\n\u001B[31m", directory.resolve("app.log"), directory);
    appender.setControl(false);
    appender.start();
    ObjectName pattern = new ObjectName("dev.forebay:type=Appender,context=tiered-bean,*");
    Await.until("in JMX", () -> !Beans.SERVER.queryNames(pattern, null).isEmpty());
    ObjectName name = Beans.SERVER.queryNames(pattern, null).iterator().next();
    MBeanInfo info = Beans.SERVER.getMBeanInfo(name);
    appender.stop();

    assertThat(name.getCanonicalName()).doesNotContain("\n", "\u001B");
    assertThat(info.getOperations())
        .extracting(
            operation ->
                operation.getName()
                    + Stream.of(operation.getSignature())
                        .map(parameter -> parameter.getType() + " " + parameter.getName())
                        .toList())
        .containsExactlyInAnyOrder("flush[long timeoutMillis]", "dump[java.lang.String reason]");
    assertThat(info.getAttributes())
        .extracting(MBeanAttributeInfo::getName)
        .contains("Account", "SpoolPath", "Degraded");
    assertThat(info.getAttributes()).noneMatch(MBeanAttributeInfo::isWritable);
    assertThat(info.getConstructors()).isEmpty();
  }

  @Test
  void theBeanSaysWhyTheLogIsBehind() throws Exception {
    Path log = Files.createDirectory(directory.resolve("app.log")); // no log file can be here
    configureBlocked();
    ObjectName bean = Beans.await("tiered", "FILE");
    context.getLogger("test").error("event");

    // There may be no spool yet.
    Await.until(
        "the log named",
        () -> ((String) Beans.SERVER.getAttribute(bean, "Degraded")).contains("the log " + log));
  }
}
