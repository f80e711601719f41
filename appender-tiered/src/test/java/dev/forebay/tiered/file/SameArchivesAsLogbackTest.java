package dev.forebay.tiered.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.tiered.disk.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same records at the same times through Logback's RollingFileAppender leave the same archives:
 * those too old or too large are deleted, with the directories that they leave empty.
 */
class SameArchivesAsLogbackTest {
  private static final long NOW_MS = Instant.parse("2024-02-25T10:00:00Z").toEpochMilli();
  private static final long HOUR_MS = 3600 * 1000L;
  private static final int BATCH_BYTES = 400;

  private final LoggerContext context = new OneThreadContext();
  private final LogUnderTest build = new LogUnderTest(context);
  private Scratch scratch; // many files, each forced
  private Path ours;
  private Path theirs;

  @BeforeEach
  void makeDirectories() throws IOException {
    scratch = new Scratch();
    ours = scratch.directory("ours");
    theirs = scratch.directory("theirs");
  }

  @AfterEach
  void stop() throws IOException {
    context.stop();
    scratch.close();
  }

  /**
   * How a policy keeps archives.
   *
   * @param maxFileSize null for one file a period
   * @param sizeCapBytes 0 for none
   */
  private record Keeping(
      String pattern,
      @Nullable String maxFileSize,
      int maxHistory,
      long sizeCapBytes,
      boolean cleanOnStart) {}

  private static Keeping history(String pattern, int maxHistory) {
    return new Keeping(pattern, null, maxHistory, 0, false);
  }

  private static Keeping history(String pattern, String maxFileSize, int maxHistory) {
    return new Keeping(pattern, maxFileSize, maxHistory, 0, false);
  }

  /** So many moments, in hours from the first. */
  private static int[] every(int hours, int times) {
    return IntStream.range(0, times).map(i -> i * hours).toArray();
  }

  private static int[] days(int... days) {
    return IntStream.of(days).map(day -> 24 * day).toArray();
  }

  static Stream<Arguments> retentions() {
    int month = 731;
    return Stream.of(
        Arguments.of("months", history("/%d{yyyy/MM}/app.log.gz", 2), every(month, 8), days()),
        Arguments.of("days", history("/app-%d.log", 5), every(24, 15), days()),
        Arguments.of(
            "days without events", history("/app-%d.log", 6), days(0, 1, 4, 5, 6, 9), days(30, 31)),
        Arguments.of("a second start", history("/app-%d.log", 5), every(24, 10), days(20, 21, 22)),
        Arguments.of(
            "directories of days", history("/%d{yyyy/MM/dd}/app.log.gz", 3), every(24, 9), days()),
        Arguments.of(
            "days and sizes", history("/%d-app.%i.log.gz", "200", 3), every(12, 14), days()),
        Arguments.of(
            "directories of days, sizes, a second start",
            history("/%d/app.%i.log", "200", 5),
            every(24, 3),
            days(10, 11, 12, 13, 14, 15, 16, 17)),
        Arguments.of(
            "a cap", new Keeping("/app-%d.log", null, 5, 900, false), every(24, 10), days()),
        Arguments.of(
            "a cap below one archive",
            new Keeping("/app-%d.log", null, 5, 1, false),
            every(24, 4),
            days()),
        Arguments.of(
            "a cap for sizes",
            new Keeping("/%d-app.%i.log", "200", 60, 1500, false),
            every(12, 20),
            days()),
        Arguments.of(
            "hours, cleaned at the start",
            new Keeping("/app-%d{yyyy-MM-dd-HH}.log", null, 3, 0, true),
            every(1, 8),
            days(1)),
        Arguments.of(
            "hours in directories of days, cleaned at the start",
            new Keeping("/%d{yyyy-MM-dd, aux}/app-%d{HH}.log", null, 3, 0, true),
            every(1, 8),
            days(1)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("retentions")
  void withFile(String name, Keeping keeping, int[] hours, int[] later) throws IOException {
    runBoth(true, keeping, hours, later);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("retentions")
  void withoutFile(String name, Keeping keeping, int[] hours, int[] later) throws IOException {
    runBoth(false, keeping, hours, later);
  }

  private void runBoth(boolean named, Keeping keeping, int[] hours, int[] later)
      throws IOException {
    run(named, keeping, hours);
    if (later.length > 0) {
      run(named, keeping, later);
    }
    build.awaitArchiving();
    assertThat(LogUnderTest.files(ours)).isEqualTo(LogUnderTest.files(theirs));
    assertThat(directories(ours)).isEqualTo(directories(theirs));
    assertThat(LogUnderTest.files(ours))
        .as("each moment made at least one, and some are deleted")
        .hasSizeBetween(1, hours.length + later.length - 1);
    assertThat(build.warnings).isEmpty();
  }

  private static Set<String> directories(Path root) throws IOException {
    Set<String> directories = new TreeSet<>();
    try (Stream<Path> all = Files.walk(root)) {
      all.filter(Files::isDirectory).forEach(path -> directories.add("" + root.relativize(path)));
    }
    return directories;
  }

  /** One start of both. */
  private void run(boolean named, Keeping keeping, int[] hours) throws IOException {
    long startMs = NOW_MS + hours[0] * HOUR_MS;
    String file = named ? ours.resolve("app.log").toString() : null;
    TimeBasedRollingPolicy<byte[]> ourPolicy = policy(build.parent(file), keeping, ours, startMs);
    RollingLog log = LogUnderTest.started(build.rolling(file, ourPolicy, "", ""));
    RollingFileAppender<byte[]> appender = new RollingFileAppender<>();
    appender.setContext(context);
    appender.setEncoder(LogUnderTest.plainEncoder());
    if (named) {
      appender.setFile(theirs.resolve("app.log").toString());
    }
    TimeBasedRollingPolicy<byte[]> theirPolicy = policy(appender, keeping, theirs, startMs);
    appender.setRollingPolicy(theirPolicy);
    appender.start();
    assertThat(appender.isStarted()).isTrue();
    for (int hour : hours) {
      long nowMs = NOW_MS + hour * HOUR_MS;
      ourPolicy.getTimeBasedFileNamingAndTriggeringPolicy().setCurrentTime(nowMs);
      theirPolicy.getTimeBasedFileNamingAndTriggeringPolicy().setCurrentTime(nowMs);
      List<String> records = LogUnderTest.records(hour, 6);
      LogUnderTest.ship(log, records, BATCH_BYTES);
      records.forEach(record -> appender.doAppend(record.getBytes(UTF_8)));
    }
    LogUnderTest.stop(log);
    appender.stop();
    if (named) {
      FileTime last = FileTime.fromMillis(NOW_MS + hours[hours.length - 1] * HOUR_MS);
      Files.setLastModifiedTime(ours.resolve("app.log"), last);
      Files.setLastModifiedTime(theirs.resolve("app.log"), last);
    }
  }

  private TimeBasedRollingPolicy<byte[]> policy(
      FileAppender<byte[]> parent, Keeping keeping, Path directory, long nowMs) {
    TimeBasedRollingPolicy<byte[]> policy = build.unstarted(parent, directory + keeping.pattern());
    policy.setMaxHistory(keeping.maxHistory());
    policy.setTotalSizeCap(new FileSize(keeping.sizeCapBytes()));
    policy.setCleanHistoryOnStart(keeping.cleanOnStart());
    if (keeping.maxFileSize() == null) {
      LogUnderTest.unlimited(policy, nowMs);
    } else {
      LogUnderTest.limit(policy, keeping.maxFileSize(), nowMs);
    }
    policy.start();
    return policy;
  }
}
