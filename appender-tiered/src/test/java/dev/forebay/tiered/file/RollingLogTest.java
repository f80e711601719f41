package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.rolling.RolloverFailure;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FaultyDisk.Op;
import dev.forebay.tiered.disk.FileInfo;
import java.io.File;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** One log: its sections, its file at the path, its policies, and rolling that fails. */
class RollingLogTest extends LogRig {

  private static IOException scripted() {
    return new IOException("scripted failure");
  }

  @Test
  void eachRunIsOneSectionThoughTheFileIsReopened() throws IOException {
    for (int run = 1; run <= 2; run++) {
      RollingLog log = sections();
      log.open();
      started(log);
      append(log, "run\n");
      log.close();
      log.close();
      started(log);
      append(log, run + "\n");
      log.end();
      stop(log);
    }

    assertThat(content()).isEqualTo("# head\nrun\n1\n# foot\n# head\nrun\n2\n# foot\n");
  }

  @Test
  void withoutAppendTheFirstOpenEmptiesTheFile() throws IOException {
    Files.writeString(path(), "old\n");
    RollingLog log = started(plain(path(), false));
    append(log, "new\n");
    log.close();
    started(log);
    append(log, "newer\n");

    assertThat(content()).isEqualTo("new\nnewer\n");
  }

  @Test
  void directoriesThatAreMissingOrRemovedAreMade() throws IOException {
    Path deep = dir.resolve("a/b/app.log");
    RollingLog log = started(plain(deep, true));
    Files.delete(deep);
    Files.delete(deep.getParent());
    assertThat(log.isUndisturbed()).isFalse();
    log.close();
    append(started(log), "x\n");

    assertThat(deep).hasContent("x");
  }

  /** With its content: to open a log waits for no fsync. */
  @Test
  void theNameOfANewFileIsForcedOnceByTheFirstAttemptThatCan() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily("");
    RollingLog log = started(rolling(policy));
    assertThat(disk.calls(Op.FORCE_DIRECTORY)).isZero();
    requireNameForcedOnce(log);
    append(log, "one\n");
    toDay(policy, 1);
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    requireNameForcedOnce(log);
    append(log, "two\n");

    assertThat(content("app.2024-03-01.log")).isEqualTo("one\n");
    assertThat(content()).isEqualTo("two\n");
    assertThat(warnings).isEmpty();
  }

  /** A process may have been killed before it forced what it made. */
  @Test
  void theNameOfAFileThatAnotherProcessMadeIsForcedToo() throws IOException {
    Files.writeString(path(), "one\n");
    requireNameForcedOnce(started(plain()));
    assertThat(content()).isEqualTo("one\n");
  }

  /** It may be a directory that was moved, or that only lets its files be opened. */
  @Test
  void aDirectoryThatCannotBeOpenedHoldsUpNoCommit() throws IOException {
    for (IOException cause :
        List.of(new NoSuchFileException("moved"), new AccessDeniedException("mode 0300"))) {
      RollingLog log = started(plain());
      disk.failOnce(Op.FORCE_DIRECTORY, 1, cause);
      log.force();
      assertThat(disk.hasFaultsAhead()).isFalse();
      log.close();
    }
  }

  private void requireNameForcedOnce(RollingLog log) throws IOException {
    int before = disk.calls(Op.FORCE_DIRECTORY);
    disk.failOnce(Op.FORCE_DIRECTORY, 1, scripted());
    assertThatThrownBy(log::force).hasMessage("scripted failure");
    log.force();
    log.force();
    assertThat(disk.calls(Op.FORCE_DIRECTORY)).isEqualTo(before + 2);
  }

  @Test
  void theShipperMaySleepUntilThePolicyIsToBeAsked() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily("");
    RollingLog log = started(rolling(policy));
    append(log, "one\n");
    assertThat(log.settledForNs(NOW_MS + 1)).isEqualTo(59_999 * 1_000_000L);
    assertThat(log.settledForNs(NOW_MS)).as("a full minute").isEqualTo(60_000 * 1_000_000L);
    toDay(policy, 1);
    assertThat(log.isRollDue()).isTrue();
    assertThat(log.settledForNs(NOW_MS)).isZero();
    log.roll();
    assertThat(log.settledForNs(NOW_MS)).isPositive();

    RollingLog unrolled = started(plain(dir.resolve("other.log"), true));
    assertThat(unrolled.settledForNs(NOW_MS)).isEqualTo(Long.MAX_VALUE);
  }

  /** The checkpoint knows a file by it. */
  @Test
  void theNextFileNeverHasTheIdentityOfTheOneBefore() throws IOException {
    RollingLog log = started(window("app.%i.log.gz"));
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
    RollingLog log = started(rolling(file(), policy, policy, HEADER, FOOTER));
    for (int day = 1; day <= 2; day++) {
      Stranger.FULL_DIRECTORY.putAt(dir.resolve("app.2024-03-0" + day + ".log"));
      append(log, "day " + day + "\n");
      toDay(policy, day);
      roll(log);
      assertThat(log.isRollDue()).isFalse();
    }
    append(log, "day 3\n");
    assertThat(content())
        .isEqualTo("# head\nday 1\n# foot\n# head\nday 2\n# foot\n# head\nday 3\n");
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("app.log could not be rolled and keeps growing; it now has 20 bytes");
    toDay(policy, 3);
    roll(log);
    assertThat(content("app.2024-03-03.log")).endsWith("day 3\n# foot\n");

    Stranger.FULL_DIRECTORY.putAt(dir.resolve("app.2024-03-04.log"));
    toDay(policy, 4);
    roll(log);
    assertThat(warnings).hasSize(2);
  }

  @Test
  void anEmptyFileThatHasNoIdentityIsRolledWithoutAWarning() throws IOException {
    disk.showing((at, i) -> new FileInfo(i.kind(), i.sizeBytes(), "", -1, -1, -1, i.modifiedMs()));
    TimeBasedRollingPolicy<byte[]> policy = daily("");
    RollingLog log = started(rolling(policy));
    toDay(policy, 1);
    roll(log);
    assertThat(names()).containsExactly("app.2024-03-01.log", "app.log");
    assertThat(warnings).isEmpty();
  }

  @Test
  void aFileThatVanishedBeforeTheRollIsReportedAndReplaced() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily("");
    RollingLog log = started(rolling(policy));
    Files.delete(path());
    toDay(policy, 1);
    roll(log);
    append(log, "x\n");

    assertThat(content()).isEqualTo("x\n");
    assertThat(warnings).singleElement().asString().contains("was not completed", "does not exist");
  }

  @Test
  void aRolledFileIsFoundBelowTheDirectoriesOfThePattern() throws IOException {
    RollingLog log = started(rolling("old/%d{yyyy/MM, aux}/app.%d{yyyy-MM-dd}.%i.log"));
    var before = log.position();
    fillAndRoll(log, 1);
    assertThat(dir.resolve("old/2024/03/app.2024-03-01.0.log")).hasContent(CONTENT);

    try (DiskFile found = log.find(before, Disk.Mode.READ)) {
      assertThat(found).isNotNull();
      assertThat(found.size()).isEqualTo(CONTENT.length());
    }
    assertThat(log.find(at("no such file", 0), Disk.Mode.READ)).isNull();
  }

  private RollingLog large() throws IOException {
    return started(rolling(sizeAndTime(BY_SIZE, "1GB")));
  }

  @Test
  void theLogIsRolledBetweenTwoRecordsAndOnce() throws IOException {
    RollingLog log = large();
    append(log, "one\n");
    CompletableFuture<String> answer = log.requestRoll();
    assertThat(log.requestRoll()).as("shared until it is done").isSameAs(answer);
    assertThat(log.settledForNs(NOW_MS)).as("the shipper must not sleep on it").isZero();
    append(log, "two\n");
    assertThat(content()).as("only under the checkpoint").isEqualTo("one\ntwo\n");
    assertThat(log.isRollDue()).isTrue();
    assertThat(answer).isNotDone();
    log.roll();
    assertThat(answer).isCompletedWithValue("");
    assertThat(log.isRollDue()).isFalse();
    append(log, "three\n");

    assertThat(content("app.2024-03-01.0.log")).isEqualTo("one\ntwo\n");
    assertThat(content()).isEqualTo("three\n");
    assertThat(log.bytesUntilRoll()).as("the policy counts from the start").isGreaterThan(1);
  }

  @Test
  void aLogThatCannotBeRolledOnRequestSaysWhy() throws IOException {
    RollingLog log = started(rolling(daily("")));
    append(log, "one\n");
    CompletableFuture<String> answer = log.requestRoll();
    assertThat(log.isRollDue()).isFalse();
    assertThat(answer.join()).contains("configure a SizeAndTimeBasedRollingPolicy");
    assertThat(content()).isEqualTo("one\n");
    log.close();

    log = started(plain());
    answer = log.requestRoll();
    assertThat(log.isRollDue()).isFalse();
    assertThat(answer.join()).contains("has no <rollingPolicy>");
  }

  @Test
  void aLogWithoutRecordsSaysSo() throws IOException {
    RollingLog log = large();
    CompletableFuture<String> answer = log.requestRoll();
    log.rollIsNeedless();

    assertThat(answer.join()).contains("no records");
  }

  @Test
  void theBytesUntilARollAreExactForPoliciesOfASize() throws IOException {
    Files.writeString(path(), "0123456789\n");
    Files.setLastModifiedTime(path(), FileTime.fromMillis(NOW_MS));
    RollingLog log = started(rolling("a.%d.%i.log"));
    assertThat(log.bytesUntilRoll()).isEqualTo(89);
    var start = log.position();
    append(log, "x".repeat(49) + "\n");
    assertThat(log.bytesUntilRoll()).isEqualTo(39);
    log.truncate(start);
    assertThat(log.bytesUntilRoll()).isEqualTo(89);
    append(log, "x".repeat(99) + "\n");
    assertThat(log.bytesUntilRoll()).isEqualTo(1);
    roll(log);
    assertThat(log.bytesUntilRoll()).isEqualTo(100);

    append(log, "x".repeat(49) + "\n");
    Files.write(path(), new byte[0]);
    log.close();
    log.open();
    assertThat(log.bytesUntilRoll()).isEqualTo(100);
  }

  @Test
  void theLimitOfTheSizeAndTimePolicyIsKnown() throws IOException {
    SizeAndTimeBasedRollingPolicy<byte[]> policy = new SizeAndTimeBasedRollingPolicy<>();
    policy.setContext(context);
    policy.setParent(parent(file()));
    policy.setFileNamePattern(dir + "/a.%d.%i.log");
    policy.setMaxFileSize(FileSize.valueOf("12345"));
    RollingLog log = started(rolling(policy));

    assertThat(policy.isStarted()).isTrue();
    assertThat(log.bytesUntilRoll()).isEqualTo(12345);
  }

  @Test
  void policiesWithoutASizeAreAskedEvery256KbAndStopWithTheLog() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily("");
    RollingLog log = started(rolling(policy));
    assertThat(log.bytesUntilRoll()).isEqualTo(256 * 1024);
    log.close();
    assertThat(policy.isStarted()).isTrue();
    log.open();
    stop(log);
    assertThat(policy.isStarted()).isFalse();
    log.open();
    assertThat(policy.isStarted()).isTrue();
  }

  @Test
  void aForeignPolicyThatThrowsStopsNothingAndWarnsOnceAStreak() throws IOException {
    Foreign policy = new Foreign(dir, parent(file()));
    RollingLog log = started(rolling(file(), policy, policy, "", FOOTER));
    policy.triggerFails = true;
    for (int i = 0; i < 3; i++) {
      assertThat(log.isRollDue()).isFalse();
      append(log, "a\n");
    }
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("Foreign failed", "app.log is not rolled");

    policy.triggerFails = false;
    policy.due = true;
    policy.rolloverFails = true;
    roll(log);
    append(log, "b\n");
    assertThat(content()).isEqualTo("a\na\na\n# foot\nb\n");
    assertThat(warnings).hasSize(2);
    assertThat(warnings.get(1)).contains("keeps growing", "scripted");

    policy.rolloverFails = false;
    roll(log);
    assertThat(content("rolled.1")).isEqualTo("a\na\na\n# foot\nb\n# foot\n");
    assertThat(policy.rollovers).isEqualTo(2);
  }

  @Test
  void aPolicyThatCannotStartLeavesOneFile() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = unstarted(parent(file()), "no date");
    RollingLog log = started(rolling(policy));
    assertThat(log.isRollDue()).isFalse();
    append(log, "x\n");

    assertThat(content()).isEqualTo("x\n");
    assertThat(warnings.get(0)).contains("could not be started");
  }

  /** A policy that is nobody's but ours, as plug-ins bring them. */
  private static final class Foreign extends RollingPolicyBase implements TriggeringPolicy<Object> {
    private final Path directory;
    boolean triggerFails;
    boolean rolloverFails;
    boolean due;
    int rollovers;

    Foreign(Path directory, FileAppender<?> parent) {
      this.directory = directory;
      setParent(parent);
    }

    @Override
    public void rollover() {
      rollovers++;
      if (rolloverFails) {
        throw new RolloverFailure("scripted");
      }
      due = false;
      assertThat(new File(getActiveFileName()).renameTo(directory.resolve("rolled.1").toFile()))
          .isTrue();
    }

    @Override
    public String getActiveFileName() {
      return getParentsRawFileProperty();
    }

    @Override
    public boolean isTriggeringEvent(File activeFile, Object event) {
      if (triggerFails) {
        throw new NullPointerException("event");
      }
      return due;
    }
  }
}
