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
import ch.qos.logback.core.util.FileSize;
import dev.forebay.tiered.disk.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same records at the same times through Logback's RollingFileAppender leave the same files:
 * the same names and contents, and those too old or too large are deleted, with the directories
 * that they leave empty.
 */
class SameFilesAsLogbackTest {

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

  /** A pattern, how archives are kept, and at which hours records are logged. */
  private static final class Case {
    final String name;
    final String pattern;
    int[] hours = {0};

    /** Of a second start, or empty. */
    int[] later = {};

    int records = 6;
    @Nullable String maxFileSize;
    int maxHistory;
    long capBytes;
    boolean cleanOnStart;

    Case(String name, String pattern) {
      this.name = name;
      this.pattern = pattern;
    }

    Case every(int step, int times) {
      hours = IntStream.range(0, times).map(i -> i * step).toArray();
      return this;
    }

    Case days(int... days) {
      hours = IntStream.of(days).map(day -> 24 * day).toArray();
      return this;
    }

    Case again(int... days) {
      later = IntStream.of(days).map(day -> 24 * day).toArray();
      return this;
    }

    Case sizes(String limit, int each) {
      maxFileSize = limit;
      records = each;
      return this;
    }

    Case keep(int periods, long bytes) {
      maxHistory = periods;
      capBytes = bytes;
      return this;
    }

    Case cleaned() {
      cleanOnStart = true;
      return this;
    }

    boolean isWindow() {
      return !pattern.contains("%d");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Arguments> cases() {
    int month = 731;
    return Stream.of(
            new Case("sizes", "/app.%d{yyyy-MM-dd}.%i.log").sizes("1KB", 300),
            new Case("sizes, a second start", "/a.%d.%i.log").sizes("1KB", 151).again(0),
            new Case("packed sizes in directories", "/%d{yyyy/MM}/a.%i.log.gz").sizes("1KB", 200),
            new Case("a window", "/app.%i.log").sizes("1KB", 300),
            new Case("a packed window", "/app.%i.log.gz").sizes("1KB", 300),
            new Case("days for ever", "/app.%d.log").every(24, 5),
            new Case("packed days", "/app.%d.log.gz").every(24, 5),
            new Case("a start on the same day", "/app.%d.log").days(0, 1).again(1, 2),
            new Case("a start days later", "/app.%d.log").days(0, 1).again(4, 5),
            new Case("months", "/%d{yyyy/MM}/app.log.gz").every(month, 8).keep(2, 0),
            new Case("days", "/app-%d.log").every(24, 15).keep(5, 0),
            new Case("days without events", "/app-%d.log")
                .days(0, 1, 4, 5, 6, 9)
                .again(30, 31)
                .keep(6, 0),
            new Case("a second start", "/app-%d.log").every(24, 10).again(20, 21, 22).keep(5, 0),
            new Case("directories of days", "/%d{yyyy/MM/dd}/app.log.gz").every(24, 9).keep(3, 0),
            new Case("days and sizes", "/%d-app.%i.log.gz")
                .sizes("200", 6)
                .every(12, 14)
                .keep(3, 0),
            new Case("directories of days, sizes, a second start", "/%d/app.%i.log")
                .sizes("200", 6)
                .every(24, 8)
                .again(10, 11, 12, 13, 14, 15, 16, 17)
                .keep(5, 0),
            new Case("a cap", "/app-%d.log").every(24, 10).keep(5, 900),
            new Case("a cap below one archive", "/app-%d.log").every(24, 4).keep(5, 1),
            new Case("a cap for sizes", "/%d-app.%i.log")
                .sizes("200", 6)
                .every(12, 20)
                .keep(60, 1500),
            new Case("hours, cleaned at the start", "/app-%d{yyyy-MM-dd-HH}.log")
                .every(1, 8)
                .again(1)
                .keep(3, 0)
                .cleaned(),
            new Case("hours in directories, cleaned", "/%d{yyyy-MM-dd, aux}/app-%d{HH}.log")
                .every(1, 8)
                .again(1)
                .keep(3, 0)
                .cleaned())
        .flatMap(
            one ->
                one.isWindow()
                    ? Stream.of(Arguments.of(one, true))
                    : Stream.of(Arguments.of(one, true), Arguments.of(one, false)));
  }

  @ParameterizedTest(name = "{0}, with <file> {1}")
  @MethodSource("cases")
  void bothLeaveTheSame(Case one, boolean named) throws IOException {
    run(one, named, one.hours);
    if (one.later.length > 0) {
      run(one, named, one.later);
    }
    build.awaitArchiving();

    Map<String, String> files = LogUnderTest.files(ours);
    assertThat(files).isEqualTo(LogUnderTest.files(theirs));
    assertThat(directories(ours)).isEqualTo(directories(theirs));
    int moments = one.hours.length + one.later.length;
    if (one.maxHistory > 0) {
      assertThat(files).as("some are deleted").hasSizeBetween(1, moments - 1);
    } else {
      assertThat(files).hasSizeGreaterThan(moments == 1 ? 3 : 2);
    }
    assertThat(build.warnings).isEmpty();
  }

  private static Set<String> directories(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isDirectory)
          .map(path -> "" + root.relativize(path))
          .collect(Collectors.toSet());
    }
  }

  /** One start of both; ours gets batches of many records, theirs one by one. */
  private void run(Case one, boolean named, int[] hours) throws IOException {
    long startMs = NOW_MS + hours[0] * HOUR_MS;
    String file = named ? ours.resolve("app.log").toString() : null;
    RollingPolicy ourPolicy = policy(build.parent(file), one, ours, startMs);
    RollingLog log =
        LogUnderTest.started(
            build.rolling(
                file, ourPolicy, trigger(ourPolicy), LogUnderTest.HEADER, LogUnderTest.FOOTER));
    RollingFileAppender<byte[]> appender = new RollingFileAppender<>();
    appender.setContext(context);
    appender.setEncoder(new Identity());
    if (named) {
      appender.setFile(theirs.resolve("app.log").toString());
    }
    RollingPolicy theirPolicy = policy(appender, one, theirs, startMs);
    appender.setRollingPolicy(theirPolicy);
    appender.setTriggeringPolicy(trigger(theirPolicy));
    appender.start();
    assertThat(appender.isStarted()).isTrue();

    for (int hour : hours) {
      for (RollingPolicy policy : List.of(ourPolicy, theirPolicy)) {
        if (policy instanceof TimeBasedRollingPolicy<?> timed) {
          timed.getTimeBasedFileNamingAndTriggeringPolicy().setCurrentTime(NOW_MS + hour * HOUR_MS);
        }
      }
      List<String> records = LogUnderTest.records(hour, one.records);
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

  private RollingPolicy policy(FileAppender<byte[]> parent, Case one, Path directory, long nowMs) {
    if (one.isWindow()) {
      return build.fixedWindow(parent, directory + one.pattern);
    }
    TimeBasedRollingPolicy<byte[]> policy = build.unstarted(parent, directory + one.pattern);
    policy.setMaxHistory(one.maxHistory);
    policy.setTotalSizeCap(new FileSize(one.capBytes));
    policy.setCleanHistoryOnStart(one.cleanOnStart);
    if (one.maxFileSize == null) {
      LogUnderTest.unlimited(policy, nowMs);
    } else {
      LogUnderTest.limit(policy, one.maxFileSize, nowMs);
    }
    policy.start();
    return policy;
  }

  @SuppressWarnings("unchecked")
  private TriggeringPolicy<byte[]> trigger(RollingPolicy policy) {
    return policy instanceof TriggeringPolicy<?>
        ? (TriggeringPolicy<byte[]>) policy
        : build.bySize("1KB");
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

  /**
   * Has the policies do at once what they do in the background. Logback's removers share a calendar
   * with the trigger that is not made for two threads: with a roll each millisecond they delete the
   * wrong day now and then.
   */
  private static final class OneThreadContext extends LoggerContext {
    private final ExecutorService executor = new AtOnce();

    @Override
    public ExecutorService getExecutorService() {
      return executor;
    }

    @Override
    public ExecutorService getAlternateExecutorService() {
      return executor;
    }
  }

  private static final class AtOnce extends AbstractExecutorService {
    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }
}
