package dev.forebay.tiered.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The same records at the same times through Logback's RollingFileAppender leave the same files:
 * the same names and contents, and those too old or too large are deleted, with the directories
 * that they leave empty.
 */
class SameFilesAsLogbackTest extends LogRig {

  private static final long START_MS = Instant.parse("2024-02-25T10:00:00Z").toEpochMilli();
  private static final long HOUR_MS = 3600 * 1000L;
  private static final int BATCH_BYTES = 400;

  SameFilesAsLogbackTest() {
    super(new OneThreadContext());
  }

  /**
   * How archives are kept, and when so many records are logged in a first and perhaps a second
   * start: {@code 5x24} is at five times with 24 hours between them, {@code 0 1} on two days.
   */
  private record Case(
      String pattern,
      @Nullable String maxFileSize,
      int records,
      int periods,
      long capBytes,
      boolean isCleaned,
      String times,
      @Nullable String later) {

    boolean isWindow() {
      return !pattern.contains("%d");
    }

    static int[] hours(String times) {
      int[] parts = Stream.of(times.split("[x ]")).mapToInt(Integer::parseInt).toArray();
      return times.contains("x")
          ? IntStream.range(0, parts[0]).map(i -> i * parts[1]).toArray()
          : IntStream.of(parts).map(day -> 24 * day).toArray();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          /app.%d{yyyy-MM-dd}.%i.log            | 1KB | 300 | 0  | 0    | false | 0           | -
          /a.%d.%i.log                          | 1KB | 151 | 0  | 0    | false | 0           | 0
          /%d{yyyy/MM}/a.%i.log.gz              | 1KB | 200 | 0  | 0    | false | 0           | -
          /app.%i.log                           | 1KB | 300 | 0  | 0    | false | 0           | -
          /app.%i.log.gz                        | 1KB | 300 | 0  | 0    | false | 0           | -
          /app.%d.log                           | -   | 6   | 0  | 0    | false | 5x24        | -
          /app.%d.log.gz                        | -   | 6   | 0  | 0    | false | 5x24        | -
          /app.%d.log                           | -   | 6   | 0  | 0    | false | 0 1         | 1 2
          /app.%d.log                           | -   | 6   | 0  | 0    | false | 0 1         | 4 5
          /%d{yyyy/MM}/app.log.gz               | -   | 6   | 2  | 0    | false | 8x731       | -
          /app-%d.log                           | -   | 6   | 5  | 0    | false | 15x24       | -
          /app-%d.log                           | -   | 6   | 6  | 0    | false | 0 1 4 5 6 9 | 30 31
          /app-%d.log                           | -   | 6   | 5  | 0    | false | 10x24       | 20 21 22
          /%d{yyyy/MM/dd}/app.log.gz            | -   | 6   | 3  | 0    | false | 9x24        | -
          /%d-app.%i.log.gz                     | 200 | 6   | 3  | 0    | false | 14x12       | -
          /%d/app.%i.log                        | 200 | 6   | 5  | 0    | false | 8x24        | 10 11 12 13 14 15 16 17
          /app-%d.log                           | -   | 6   | 5  | 900  | false | 10x24       | -
          /app-%d.log                           | -   | 6   | 5  | 1    | false | 4x24        | -
          /%d-app.%i.log                        | 200 | 6   | 60 | 1500 | false | 20x12       | -
          /app-%d{yyyy-MM-dd-HH}.log            | -   | 6   | 3  | 0    | true  | 8x1         | 1
          /%d{yyyy-MM-dd, aux}/app-%d{HH}.log   | -   | 6   | 3  | 0    | true  | 8x1         | 1
          """)
  void bothLeaveTheSame(
      String pattern,
      @Nullable String maxFileSize,
      int records,
      int periods,
      long capBytes,
      boolean isCleaned,
      String times,
      @Nullable String later)
      throws IOException {
    Case one = new Case(pattern, maxFileSize, records, periods, capBytes, isCleaned, times, later);
    for (boolean named : one.isWindow() ? List.of(true) : List.of(true, false)) {
      try (Scratch scratch = new Scratch()) { // many files, each forced
        bothLeaveTheSame(one, named, scratch.directory("ours"), scratch.directory("theirs"));
      }
    }
    assertThat(warnings).isEmpty();
  }

  private void bothLeaveTheSame(Case one, boolean named, Path ours, Path theirs)
      throws IOException {
    int[] hours = Case.hours(one.times);
    int moments = hours.length;
    run(one, named, hours, ours, theirs);
    if (one.later != null) {
      int[] again = Case.hours(one.later);
      moments += again.length;
      run(one, named, again, ours, theirs);
    }

    Map<String, String> files = files(ours);
    assertThat(files).as("with <file>: %s", named).isEqualTo(files(theirs));
    assertThat(directories(ours)).isEqualTo(directories(theirs));
    if (one.periods > 0) {
      assertThat(files).as("some are deleted").hasSizeBetween(1, moments - 1);
    } else {
      assertThat(files).hasSizeGreaterThan(moments == 1 ? 3 : 2);
    }
  }

  private static Set<String> directories(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isDirectory)
          .map(path -> "" + root.relativize(path))
          .collect(Collectors.toSet());
    }
  }

  /** One start of both; ours gets batches of many records, theirs one by one. */
  private void run(Case one, boolean named, int[] hours, Path ours, Path theirs)
      throws IOException {
    long startMs = START_MS + hours[0] * HOUR_MS;
    String file = named ? ours.resolve("app.log").toString() : null;
    RollingPolicy ourPolicy = policy(parent(file), one, ours, startMs);
    RollingLog log = started(ours(file, ourPolicy));
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
          timed
              .getTimeBasedFileNamingAndTriggeringPolicy()
              .setCurrentTime(START_MS + hour * HOUR_MS);
        }
      }
      List<String> records = records(hour, one.records);
      ship(log, records, BATCH_BYTES);
      records.forEach(record -> appender.doAppend(record.getBytes(UTF_8)));
    }
    stop(log);
    appender.stop();
    if (named) {
      FileTime last = FileTime.fromMillis(START_MS + hours[hours.length - 1] * HOUR_MS);
      Files.setLastModifiedTime(ours.resolve("app.log"), last);
      Files.setLastModifiedTime(theirs.resolve("app.log"), last);
    }
  }

  /** Cleans up as soon as a file is there, as Logback does here. */
  private RollingLog ours(@Nullable String file, RollingPolicy policy) {
    LogSettings settings =
        settings(disk, file, true, policy, trigger(policy), HEADER, FOOTER, true);
    return new RollingLog(settings, false) {
      @Override
      void open() throws IOException {
        super.open();
        archive();
      }
    };
  }

  private RollingPolicy policy(FileAppender<byte[]> parent, Case one, Path directory, long nowMs) {
    if (one.isWindow()) {
      return fixedWindow(parent, directory + one.pattern);
    }
    TimeBasedRollingPolicy<byte[]> policy = unstarted(parent, directory + one.pattern);
    policy.setMaxHistory(one.periods);
    policy.setTotalSizeCap(new FileSize(one.capBytes));
    policy.setCleanHistoryOnStart(one.isCleaned);
    if (one.maxFileSize == null) {
      unlimited(policy, nowMs);
    } else {
      limit(policy, one.maxFileSize, nowMs);
    }
    policy.start();
    return policy;
  }

  @SuppressWarnings("unchecked")
  private TriggeringPolicy<byte[]> trigger(RollingPolicy policy) {
    return policy instanceof TriggeringPolicy<?>
        ? (TriggeringPolicy<byte[]>) policy
        : bySize("1KB");
  }

  private static final class Identity extends EncoderBase<byte[]> {
    @Override
    public byte[] headerBytes() {
      return HEADER.getBytes(UTF_8);
    }

    @Override
    public byte[] encode(byte[] event) {
      return event;
    }

    @Override
    public byte[] footerBytes() {
      return FOOTER.getBytes(UTF_8);
    }
  }
}
