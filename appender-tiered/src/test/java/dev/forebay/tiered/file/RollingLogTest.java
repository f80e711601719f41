package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One log: its sections, its file at the path, and rolling that fails. */
class RollingLogTest extends LogRig {

  private static IOException scripted() {
    return new IOException("scripted failure");
  }

  @Test
  void eachRunIsOneSectionThoughTheFileIsReopened() throws IOException {
    for (int run = 1; run <= 2; run++) {
      RollingLog log = sections();
      log.open();
      LogUnderTest.started(log);
      LogUnderTest.append(log, "run\n");
      log.close();
      log.close();
      LogUnderTest.started(log);
      LogUnderTest.append(log, run + "\n");
      log.end();
      LogUnderTest.stop(log);
    }

    assertThat(content()).isEqualTo("# head\nrun\n1\n# foot\n# head\nrun\n2\n# foot\n");
  }

  @Test
  void withoutAppendTheFirstOpenEmptiesTheFile() throws IOException {
    Files.writeString(path(), "old\n");
    RollingLog log = LogUnderTest.started(build.plain(path(), false));
    LogUnderTest.append(log, "new\n");
    log.close();
    LogUnderTest.started(log);
    LogUnderTest.append(log, "newer\n");

    assertThat(content()).isEqualTo("new\nnewer\n");
  }

  @Test
  void directoriesThatAreMissingOrRemovedAreMade() throws IOException {
    Path deep = dir.resolve("a/b/app.log");
    RollingLog log = LogUnderTest.started(build.plain(deep, true));
    Files.delete(deep);
    Files.delete(deep.getParent());
    assertThat(log.isUndisturbed()).isFalse();
    log.close();
    LogUnderTest.append(LogUnderTest.started(log), "x\n");

    assertThat(deep).hasContent("x");
  }

  /** With its content: to open a log waits for no fsync. */
  @Test
  void theNameOfANewFileIsForcedOnceByTheFirstAttemptThatCan() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily("");
    RollingLog log = LogUnderTest.started(build.rolling(file(), policy, "", ""));
    assertThat(build.disk.calls(Op.FORCE_DIRECTORY)).isZero();
    requireNameForcedOnce(log);
    LogUnderTest.append(log, "one\n");
    toDay(policy, 1);
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    requireNameForcedOnce(log);
    LogUnderTest.append(log, "two\n");

    assertThat(content("app.2024-03-01.log")).isEqualTo("one\n");
    assertThat(content()).isEqualTo("two\n");
    assertThat(build.warnings).isEmpty();
  }

  /** A process may have been killed before it forced what it made. */
  @Test
  void theNameOfAFileThatAnotherProcessMadeIsForcedToo() throws IOException {
    Files.writeString(path(), "one\n");
    requireNameForcedOnce(LogUnderTest.started(plain()));
    assertThat(content()).isEqualTo("one\n");
  }

  /** It may be a directory that was moved, or that only lets its files be opened. */
  @Test
  void aDirectoryThatCannotBeOpenedHoldsUpNoCommit() throws IOException {
    for (IOException cause :
        List.of(new NoSuchFileException("moved"), new AccessDeniedException("mode 0300"))) {
      RollingLog log = LogUnderTest.started(plain());
      build.disk.failOnce(Op.FORCE_DIRECTORY, 1, cause);
      log.force();
      assertThat(build.disk.hasFaultsAhead()).isFalse();
      log.close();
    }
  }

  private void requireNameForcedOnce(RollingLog log) throws IOException {
    int before = build.disk.calls(Op.FORCE_DIRECTORY);
    build.disk.failOnce(Op.FORCE_DIRECTORY, 1, scripted());
    assertThatThrownBy(log::force).hasMessage("scripted failure");
    log.force();
    log.force();
    assertThat(build.disk.calls(Op.FORCE_DIRECTORY)).isEqualTo(before + 2);
  }

  @Test
  void theShipperMaySleepUntilThePolicyIsToBeAsked() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily("");
    RollingLog log = LogUnderTest.started(build.rolling(file(), policy, "", ""));
    LogUnderTest.append(log, "one\n");
    assertThat(log.settledForNs(NOW_MS + 1)).isEqualTo(59_999 * 1_000_000L);
    assertThat(log.settledForNs(NOW_MS)).as("a full minute").isEqualTo(60_000 * 1_000_000L);
    toDay(policy, 1);
    assertThat(log.isRollDue()).isTrue();
    assertThat(log.settledForNs(NOW_MS)).isZero();
    log.roll();
    assertThat(log.settledForNs(NOW_MS)).isPositive();

    RollingLog unrolled = LogUnderTest.started(build.plain(dir.resolve("other.log"), true));
    assertThat(unrolled.settledForNs(NOW_MS)).isEqualTo(Long.MAX_VALUE);
  }

  /** The checkpoint knows a file by it. */
  @Test
  void theNextFileNeverHasTheIdentityOfTheOneBefore() throws IOException {
    RollingLog log = LogUnderTest.started(window("app.%i.log.gz"));
    for (int i = 0; i < 10; i++) {
      String before = log.position().fileKey();
      fillAndRoll(log, 1);
      log.archive();
      assertThat(log.position().fileKey()).isNotEqualTo(before);
      assertThat(log.position().offset()).isZero();
    }
  }

  @Test
  void aRollThatFailsContinuesTheFileAndWarnsOnceAStreak() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily("");
    RollingLog log =
        LogUnderTest.started(
            build.rolling(file(), policy, LogUnderTest.HEADER, LogUnderTest.FOOTER));
    for (int day = 1; day <= 2; day++) {
      Stranger.FULL_DIRECTORY.putAt(dir.resolve("app.2024-03-0" + day + ".log"));
      LogUnderTest.append(log, "day " + day + "\n");
      toDay(policy, day);
      roll(log);
      assertThat(log.isRollDue()).isFalse();
    }
    LogUnderTest.append(log, "day 3\n");
    assertThat(content())
        .isEqualTo("# head\nday 1\n# foot\n# head\nday 2\n# foot\n# head\nday 3\n");
    assertThat(build.warnings)
        .singleElement()
        .asString()
        .contains("app.log could not be rolled and keeps growing; it now has 20 bytes");
    toDay(policy, 3);
    roll(log);
    assertThat(content("app.2024-03-03.log")).endsWith("day 3\n# foot\n");

    Stranger.FULL_DIRECTORY.putAt(dir.resolve("app.2024-03-04.log"));
    toDay(policy, 4);
    roll(log);
    assertThat(build.warnings).hasSize(2);
  }

  @Test
  void aFileThatVanishedBeforeTheRollIsReportedAndReplaced() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily("");
    RollingLog log = LogUnderTest.started(build.rolling(file(), policy, "", ""));
    Files.delete(path());
    toDay(policy, 1);
    roll(log);
    LogUnderTest.append(log, "x\n");

    assertThat(content()).isEqualTo("x\n");
    assertThat(build.warnings)
        .singleElement()
        .asString()
        .contains("was not completed", "does not exist");
  }

  @Test
  void aRollThatIsDueSurvivesReopeningWithoutAFileName() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy =
        build.byTime(build.parent(null), dir + "/app.%d{yyyy-MM-dd}.log", NOW_MS);
    RollingLog log = LogUnderTest.started(build.rolling(null, policy, "", ""));
    LogUnderTest.append(log, "one\n");
    toDay(policy, 1);
    assertThat(log.isRollDue()).isTrue();
    log.close();
    LogUnderTest.started(log);
    LogUnderTest.append(log, "two\n");
    roll(log);
    LogUnderTest.append(log, "three\n");

    assertThat(content("app.2024-03-01.log")).isEqualTo("one\ntwo\n");
    assertThat(content("app.2024-03-02.log")).isEqualTo("three\n");
  }

  @Test
  void aRolledFileIsFoundBelowTheDirectoriesOfThePattern() throws IOException {
    RollingLog log =
        LogUnderTest.started(rolling("old/%d{yyyy/MM, aux}/app.%d{yyyy-MM-dd}.%i.log"));
    Position before = log.position();
    fillAndRoll(log, 1);
    assertThat(dir.resolve("old/2024/03/app.2024-03-01.0.log")).hasContent(CONTENT);

    try (DiskFile found = log.find(before, Disk.Mode.READ)) {
      assertThat(found).isNotNull();
      assertThat(found.size()).isEqualTo(CONTENT.length());
    }
    assertThat(log.find(new Position("no such file", 0), Disk.Mode.READ)).isNull();
  }
}
