package dev.forebay.tiered.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.encoder.EncoderBase;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import dev.forebay.host.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same records through Logback's RollingFileAppender give the same names and contents. */
class SameFilesAsLogbackTest {
  private static final long NOW_MS = Instant.parse("2024-03-01T10:00:00Z").toEpochMilli();
  private static final long DAY_MS = 24 * 3600 * 1000L;
  private static final int BATCH_BYTES = 400;

  @AutoClose("stop")
  private final LoggerContext context = new LoggerContext();

  private final LogUnderTest build = new LogUnderTest(context);
  @TempDir Path ours;
  @TempDir Path theirs;

  /** Makes the policies of one side. */
  private interface Policies {
    RollingPolicy in(FileAppender<byte[]> parent, Path directory);
  }

  @Test
  void sizeAndTimeWithFile() throws IOException {
    runBoth(true, (parent, dir) -> sizeAndTime(parent, dir + "/app.%d{yyyy-MM-dd}.%i.log"), 300);
    assertSame();
    assertThat(LogUnderTest.files(ours)).hasSizeGreaterThan(5);
  }

  @Test
  void sizeAndTimeWithoutFile() throws IOException {
    runBoth(false, (parent, dir) -> sizeAndTime(parent, dir + "/app.%d{yyyy-MM-dd}.%i.log"), 300);
    assertSame();
    assertThat(LogUnderTest.files(ours)).hasSizeGreaterThan(5);
  }

  @Test
  void sizeAndTimeCompressedIntoDatedDirectories() throws IOException {
    runBoth(true, (parent, dir) -> sizeAndTime(parent, dir + "/%d{yyyy/MM}/app.%i.log.gz"), 200);
    assertSame();
    assertThat(LogUnderTest.files(ours)).containsKey("2024/03/app.0.log.gz");
  }

  @Test
  void restartContinuesTheIndexAndTheLengthOfTheFile() throws IOException {
    Policies policies = (parent, dir) -> sizeAndTime(parent, dir + "/a.%d{yyyy-MM-dd}.%i.log");
    runBoth(true, policies, 150);
    int before = LogUnderTest.files(ours).size();
    for (Path directory : List.of(ours, theirs)) {
      Files.setLastModifiedTime(directory.resolve("app.log"), FileTime.fromMillis(NOW_MS));
    }
    runBoth(true, policies, 151);
    assertSame();
    assertThat(LogUnderTest.files(ours)).hasSizeGreaterThan(before);
  }

  @Test
  void restartWithoutFileContinuesTheLastOne() throws IOException {
    Policies policies = (parent, dir) -> sizeAndTime(parent, dir + "/a.%d{yyyy-MM-dd}.%i.log");
    runBoth(false, policies, 150);
    runBoth(false, policies, 151);
    assertSame();
  }

  @Test
  void fixedWindow() throws IOException {
    Policies policies = (parent, dir) -> build.fixedWindow(parent, dir + "/app.%i.log");
    runBoth(true, policies, 300);
    assertSame();
    assertThat(LogUnderTest.files(ours))
        .containsOnlyKeys("app.log", "app.1.log", "app.2.log", "app.3.log");
  }

  @Test
  void fixedWindowCompressed() throws IOException {
    Policies policies = (parent, dir) -> build.fixedWindow(parent, dir + "/app.%i.log.gz");
    runBoth(true, policies, 300);
    assertSame();
    assertThat(LogUnderTest.files(ours))
        .containsOnlyKeys("app.log", "app.1.log.gz", "app.2.log.gz", "app.3.log.gz");
  }

  @Test
  void daysWithFile() throws IOException {
    runDays(true, "/app.%d{yyyy-MM-dd}.log");
    assertSame();
    assertThat(LogUnderTest.files(ours)).hasSize(5);
  }

  @Test
  void daysWithoutFileCompressed() throws IOException {
    runDays(false, "/app.%d{yyyy-MM-dd}.log.gz");
    assertSame();
    assertThat(LogUnderTest.files(ours))
        .containsKeys("app.2024-03-01.log.gz", "app.2024-03-05.log");
  }

  @Test
  void daysWithFileCompressed() throws IOException {
    runDays(true, "/app.%d{yyyy-MM-dd}.log.gz");
    assertSame();
    assertThat(LogUnderTest.files(ours)).containsKeys("app.2024-03-01.log.gz", "app.log");
  }

  @Test
  void daysWithoutFile() throws IOException {
    runDays(false, "/app.%d{yyyy-MM-dd}.log");
    assertSame();
    assertThat(LogUnderTest.files(ours)).hasSize(5);
  }

  /** What is left of a period that ended while nobody ran is rolled by the next start. */
  @ParameterizedTest
  @CsvSource({"true, 0", "false, 0", "true, 3", "false, 3"})
  void restartByDays(boolean named, int daysLater) throws IOException {
    String pattern = "/app.%d{yyyy-MM-dd}.log";
    runDays(named, pattern, 0, 2);
    if (named) {
      for (Path directory : List.of(ours, theirs)) {
        Files.setLastModifiedTime(
            directory.resolve("app.log"), FileTime.fromMillis(NOW_MS + DAY_MS));
      }
    }
    runDays(named, pattern, 1 + daysLater, 2);
    assertSame();
    assertThat(LogUnderTest.files(ours)).hasSize(daysLater == 0 ? 3 : 4);
  }

  private RollingPolicy sizeAndTime(FileAppender<byte[]> parent, String pattern) {
    return build.bySizeAndTime(parent, pattern, "1KB", NOW_MS);
  }

  /** Ships records to both sides; ours in batches of many, theirs one by one. */
  private void runBoth(boolean named, Policies policies, int count) throws IOException {
    List<String> records = LogUnderTest.records(1, count);
    RollingLog log = openOurs(named, policies);
    LogUnderTest.ship(log, records, BATCH_BYTES);
    stopWhenPacked(log);
    RollingFileAppender<byte[]> appender = startTheirs(named, policies);
    records.forEach(record -> appender.doAppend(record.getBytes(UTF_8)));
    appender.stop();
  }

  private void runDays(boolean named, String pattern) throws IOException {
    runDays(named, pattern, 0, 5);
  }

  private void runDays(boolean named, String pattern, int from, int days) throws IOException {
    Policies policies =
        (parent, dir) -> build.byTime(parent, dir + pattern, NOW_MS + from * DAY_MS);
    RollingLog log = openOurs(named, policies);
    TimeBasedRollingPolicy<?> ourTime = lastMade;
    RollingFileAppender<byte[]> appender = startTheirs(named, policies);
    TimeBasedRollingPolicy<?> theirTime = lastMade;
    for (int day = from; day < from + days; day++) {
      ourTime.getTimeBasedFileNamingAndTriggeringPolicy().setCurrentTime(NOW_MS + day * DAY_MS);
      theirTime.getTimeBasedFileNamingAndTriggeringPolicy().setCurrentTime(NOW_MS + day * DAY_MS);
      List<String> records = LogUnderTest.records(day * 10, 10);
      LogUnderTest.ship(log, records, BATCH_BYTES);
      records.forEach(record -> appender.doAppend(record.getBytes(UTF_8)));
    }
    stopWhenPacked(log);
    appender.stop();
  }

  /** A policy's own thread makes the archives of which ours take the place. */
  private void stopWhenPacked(RollingLog log) throws IOException {
    Await.until(
        "packed",
        () -> {
          log.archive();
          return isPacked();
        });
    LogUnderTest.stop(log);
  }

  private boolean isPacked() throws IOException {
    try (Stream<Path> all = Files.walk(ours)) {
      return all.noneMatch(path -> path.toString().endsWith(KeptFile.ENDING));
    } catch (UncheckedIOException e) { // a file that went away in the walk: still under way
      return false;
    }
  }

  private TimeBasedRollingPolicy<?> lastMade;

  private RollingLog openOurs(boolean named, Policies policies) throws IOException {
    String file = named ? ours.resolve("app.log").toString() : null;
    RollingPolicy policy = made(policies, build.parent(file), ours);
    return LogUnderTest.started(
        build.rolling(file, policy, triggerOf(policy), LogUnderTest.HEADER, LogUnderTest.FOOTER));
  }

  private RollingFileAppender<byte[]> startTheirs(boolean named, Policies policies) {
    RollingFileAppender<byte[]> appender = new RollingFileAppender<>();
    appender.setContext(context);
    appender.setEncoder(new Identity());
    if (named) {
      appender.setFile(theirs.resolve("app.log").toString());
    }
    RollingPolicy policy = made(policies, appender, theirs);
    appender.setRollingPolicy(policy);
    appender.setTriggeringPolicy(triggerOf(policy));
    appender.start();
    assertThat(appender.isStarted()).isTrue();
    return appender;
  }

  private RollingPolicy made(Policies policies, FileAppender<byte[]> parent, Path directory) {
    RollingPolicy policy = policies.in(parent, directory);
    lastMade = policy instanceof TimeBasedRollingPolicy<?> timed ? timed : null;
    return policy;
  }

  @SuppressWarnings("unchecked")
  private TriggeringPolicy<byte[]> triggerOf(RollingPolicy policy) {
    return policy instanceof TriggeringPolicy<?>
        ? (TriggeringPolicy<byte[]>) policy
        : build.bySize("1KB");
  }

  private void assertSame() throws IOException {
    build.awaitArchiving();
    Map<String, String> files = LogUnderTest.files(ours);
    assertThat(files).isEqualTo(LogUnderTest.files(theirs));
    assertThat(build.warnings).isEmpty();
  }

  /** An encoder whose events are bytes already. */
  private static final class Identity extends EncoderBase<byte[]> {
    @Override
    public byte[] headerBytes() {
      return LogUnderTest.HEADER.getBytes(UTF_8);
    }

    @Override
    public byte[] encode(byte[] event) {
      return event;
    }

    @Override
    public byte[] footerBytes() {
      return LogUnderTest.FOOTER.getBytes(UTF_8);
    }
  }
}
