package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;

/** A log in a directory of its own, rolled by Logback's policies. */
abstract class LogRig {
  static final long NOW_MS = Instant.parse("2024-03-01T10:00:00Z").toEpochMilli();
  static final long DAY_MS = 24 * 3600 * 1000L;
  static final String CONTENT = String.join("", LogUnderTest.records(0, 50));
  static final String BY_SIZE = "app.%d{yyyy-MM-dd}.%i.log";

  @AutoClose("stop")
  final LoggerContext context = new LoggerContext();

  final LogUnderTest build = new LogUnderTest(context);
  @TempDir Path dir;

  Path path() {
    return dir.resolve("app.log");
  }

  String file() {
    return path().toString();
  }

  RollingLog plain() {
    return build.plain(path(), true);
  }

  RollingLog sections() {
    return build.plain(path(), true, LogUnderTest.HEADER, LogUnderTest.FOOTER);
  }

  /** At 100 bytes, and each day. */
  TimeBasedRollingPolicy<byte[]> sizeAndTime(String pattern) {
    return build.bySizeAndTime(build.parent(file()), dir + "/" + pattern, "100", NOW_MS);
  }

  RollingLog rolling(String pattern) {
    return build.rolling(file(), sizeAndTime(pattern), "", "");
  }

  RollingLog window(String pattern) {
    return build.rolling(
        file(),
        build.fixedWindow(build.parent(file()), dir + "/" + pattern),
        build.bySize("100"),
        "",
        "");
  }

  TimeBasedRollingPolicy<byte[]> daily(String ending) {
    return build.byTime(build.parent(file()), dir + "/app.%d{yyyy-MM-dd}.log" + ending, NOW_MS);
  }

  static void toDay(TimeBasedRollingPolicy<?> policy, int day) {
    policy.getTimeBasedFileNamingAndTriggeringPolicy().setCurrentTime(NOW_MS + day * DAY_MS);
  }

  static void roll(RollingLog log) throws IOException {
    assertThat(log.isRollDue()).isTrue();
    log.roll();
  }

  /** Appends more than a file may have, and rolls it. */
  static void fillAndRoll(RollingLog log, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      LogUnderTest.append(log, CONTENT);
      roll(log);
    }
  }

  /** Unpacked. */
  String content(String name) throws IOException {
    return LogUnderTest.content(dir.resolve(name));
  }

  String content() throws IOException {
    return content("app.log");
  }

  List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  Path leaveKept(String archive) throws IOException {
    return LogUnderTest.leaveKept(dir, archive, CONTENT);
  }

  /** A whole life in which nothing is logged. */
  static void startAndStop(RollingLog log) throws IOException {
    LogUnderTest.stop(LogUnderTest.started(log));
  }
}
