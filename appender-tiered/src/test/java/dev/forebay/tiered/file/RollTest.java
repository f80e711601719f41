package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rolling, and everything that can fail in the middle of it. */
class RollTest {
  private static final long NOW_MS = Instant.parse("2024-03-01T10:00:00Z").toEpochMilli();
  private static final long DAY_MS = 24 * 3600 * 1000L;

  @AutoClose("stop")
  private final LoggerContext context = new LoggerContext();

  private final LogUnderTest build = new LogUnderTest(context);
  @TempDir Path dir;

  private String file() {
    return dir.resolve("app.log").toString();
  }

  private TimeBasedRollingPolicy<byte[]> daily() {
    return build.byTime(build.parent(file()), dir + "/app.%d{yyyy-MM-dd}.log", NOW_MS);
  }

  private RollingLog sections(TimeBasedRollingPolicy<byte[]> policy) throws IOException {
    return LogUnderTest.started(
        build.rolling(file(), policy, LogUnderTest.HEADER, LogUnderTest.FOOTER));
  }

  /** A log with a record in it, at the day after. */
  private RollingLog dueLog() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily();
    RollingLog log = sections(policy);
    LogUnderTest.append(log, "one\n");
    nextDay(policy, 1);
    assertThat(log.isRollDue()).isTrue();
    return log;
  }

  @Test
  void aLogThatIsNeverRolledNeedsNoLook() throws IOException {
    RollingLog log = LogUnderTest.started(build.plain(dir.resolve("app.log"), true));

    assertThat(log.settledForNs(NOW_MS)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aPolicyIsAskedAtTheNextFullMinuteWhileTheLogIsIdle() throws IOException {
    RollingLog log = sections(daily());
    LogUnderTest.append(log, "one\n");

    assertThat(log.settledForNs(NOW_MS + 1)).isEqualTo(59_999 * 1_000_000L);
    assertThat(log.settledForNs(NOW_MS + 59_999)).isEqualTo(1_000_000L);
    assertThat(log.settledForNs(NOW_MS)).isEqualTo(60_000 * 1_000_000L);
  }

  @Test
  void aLogThatIsToBeRolledIsNotSettled() throws IOException {
    RollingLog log = dueLog();
    assertThat(log.settledForNs(NOW_MS)).isZero();
    log.roll();

    assertThat(log.settledForNs(NOW_MS)).isPositive();
  }

  private static void nextDay(TimeBasedRollingPolicy<?> policy, int day) {
    policy.getTimeBasedFileNamingAndTriggeringPolicy().setCurrentTime(NOW_MS + day * DAY_MS);
  }

  private String content(String name) throws IOException {
    return Files.readString(dir.resolve(name));
  }

  @Test
  void rollWritesFooterAndHeader() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily();
    RollingLog log = sections(policy);
    LogUnderTest.append(log, "one\n");
    assertThat(log.isRollDue()).isFalse();
    nextDay(policy, 1);
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    assertThat(log.isRollDue()).isFalse();
    assertThat(log.position().offset()).isEqualTo(LogUnderTest.HEADER.length());
    LogUnderTest.append(log, "two\n");
    assertThat(content("app.2024-03-01.log")).isEqualTo("# head\none\n# foot\n");
    assertThat(content("app.log")).isEqualTo("# head\ntwo\n");
  }

  @Test
  void rollThatIsNotDueDoesNothing() throws IOException {
    RollingLog log = sections(daily());
    LogUnderTest.append(log, "one\n");
    log.roll();
    assertThat(content("app.log")).isEqualTo("# head\none\n");
    assertThat(LogUnderTest.files(dir)).hasSize(1);
  }

  @Test
  void nextFileNeverHasTheIdentityOfTheOneBefore() throws IOException {
    RollingLog log =
        LogUnderTest.started(
            build.rolling(
                file(),
                build.fixedWindow(build.parent(file()), dir + "/app.%i.log.gz"),
                build.bySize("10"),
                "",
                ""));
    for (int i = 0; i < 10; i++) {
      LogUnderTest.append(log, "0123456789\n");
      String before = log.position().fileKey();
      assertThat(log.isRollDue()).isTrue();
      log.roll();
      log.archive();
      assertThat(log.position().fileKey()).isNotEqualTo(before);
      assertThat(log.position().offset()).isZero();
    }
  }

  @Test
  void failedRenameContinuesTheFileAndWarnsOnceAStreak() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily();
    RollingLog log = sections(policy);
    for (int day = 1; day <= 2; day++) {
      Path obstacle = Files.createDirectory(dir.resolve("app.2024-03-0" + day + ".log"));
      Files.createFile(obstacle.resolve("in the way"));
      LogUnderTest.append(log, "day " + day + "\n");
      nextDay(policy, day);
      assertThat(log.isRollDue()).isTrue();
      log.roll();
      assertThat(log.isRollDue()).isFalse();
    }
    LogUnderTest.append(log, "day 3\n");
    assertThat(content("app.log"))
        .isEqualTo("# head\nday 1\n# foot\n# head\nday 2\n# foot\n# head\nday 3\n");
    assertThat(build.warnings).hasSize(1);
    assertThat(build.warnings.get(0))
        .contains("app.log could not be rolled and keeps growing; it now has 20 bytes");
    assertThat(log.isUndisturbed()).isTrue();

    nextDay(policy, 3);
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    assertThat(content("app.2024-03-03.log")).endsWith("day 3\n# foot\n");
    Path obstacle = Files.createDirectory(dir.resolve("app.2024-03-04.log"));
    Files.createFile(obstacle.resolve("in the way"));
    nextDay(policy, 4);
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    assertThat(build.warnings).hasSize(2);
  }

  @Test
  void fileThatVanishedBeforeTheRollIsReportedAndReplaced() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily();
    RollingLog log = sections(policy);
    Files.delete(Path.of(file()));
    nextDay(policy, 1);
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    LogUnderTest.append(log, "x\n");
    assertThat(content("app.log")).isEqualTo("# head\nx\n");
    assertThat(build.warnings).hasSize(1);
    assertThat(build.warnings.get(0)).contains("was not completed", "does not exist");
  }

  @Test
  void failedOpenAfterRollIsMadeUpForByOpenAndBegin() throws IOException {
    RollingLog log = rolledWithFailingOpen();
    log.open();
    assertThat(log.position().offset()).isZero();
    log.begin();
    assertThat(log.isRollDue()).isFalse();
    assertRolledOnce(log);
  }

  private RollingLog rolledWithFailingOpen() throws IOException {
    RollingLog log = dueLog();
    build.disk.failFrom(Op.OPEN, 1, () -> new IOException("scripted failure"));
    assertThatThrownBy(log::roll).hasMessage("scripted failure");
    assertThat(LogUnderTest.isOpen(log)).isFalse();
    assertThat(log.isRollDue()).isTrue();
    assertThatThrownBy(log::open).hasMessage("scripted failure");
    build.disk.heal();
    return log;
  }

  private void assertRolledOnce(RollingLog log) throws IOException {
    LogUnderTest.append(log, "two\n");
    assertThat(content("app.2024-03-01.log")).isEqualTo("# head\none\n# foot\n");
    assertThat(content("app.log")).isEqualTo("# head\ntwo\n");
    assertThat(build.warnings).isEmpty();
  }

  @Test
  void directoryThatCannotBeForcedIsForcedByTheNextAttempt() throws IOException {
    RollingLog log = dueLog();
    log.force();
    log.roll();
    build.disk.failOnce(Op.FORCE_DIRECTORY, 1, new IOException("scripted failure"));
    assertThatThrownBy(log::force).hasMessage("scripted failure");
    int before = build.disk.calls(Op.FORCE_DIRECTORY);
    log.force();
    log.force();
    assertThat(build.disk.calls(Op.FORCE_DIRECTORY)).isEqualTo(before + 1);
    assertRolledOnce(log);
  }

  @Test
  void footerThatFindsNoSpaceDelaysTheRoll() throws IOException {
    RollingLog log = dueLog();
    build.disk.limitSpace(3);
    assertThatThrownBy(log::roll).hasMessageContaining("No space left");
    assertThat(log.isRollDue()).isTrue();
    assertThat(content("app.log")).isEqualTo("# head\none\n");
    build.disk.heal();
    log.roll();
    assertRolledOnce(log);
  }

  @Test
  void headerThatFindsNoSpaceIsOwed() throws IOException {
    RollingLog log = dueLog();
    build.disk.limitSpace(LogUnderTest.FOOTER.length() + 2L);
    assertThatThrownBy(log::roll).hasMessageContaining("No space left");
    log.close();
    build.disk.heal();
    log.open();
    log.begin();
    assertRolledOnce(log);
  }

  @Test
  void rollThatIsDueSurvivesReopeningWithoutFileName() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy =
        build.byTime(build.parent(null), dir + "/app.%d{yyyy-MM-dd}.log", NOW_MS);
    RollingLog log = LogUnderTest.started(build.rolling(null, policy, "", ""));
    LogUnderTest.append(log, "one\n");
    nextDay(policy, 1);
    assertThat(log.isRollDue()).isTrue();
    log.close();
    LogUnderTest.started(log);
    LogUnderTest.append(log, "two\n");
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    LogUnderTest.append(log, "three\n");
    assertThat(content("app.2024-03-01.log")).isEqualTo("one\ntwo\n");
    assertThat(content("app.2024-03-02.log")).isEqualTo("three\n");
  }

  @Test
  void rolledFileIsFoundBelowTheDirectoriesOfThePattern() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy =
        build.byTime(
            build.parent(file()), dir + "/old/%d{yyyy/MM, aux}/app.%d{yyyy-MM-dd}.log", NOW_MS);
    RollingLog log = LogUnderTest.started(build.rolling(file(), policy, "", ""));
    LogUnderTest.append(log, "one\n");
    Position before = log.position();
    nextDay(policy, 1);
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    assertThat(dir.resolve("old/2024/03/app.2024-03-01.log")).exists();
    try (DiskFile found = log.find(before, Disk.Mode.READ)) {
      assertThat(found).isNotNull();
      assertThat(found.size()).isEqualTo(4);
    }
    assertThat(log.find(new Position("no such file", 0), Disk.Mode.READ)).isNull();
  }
}
