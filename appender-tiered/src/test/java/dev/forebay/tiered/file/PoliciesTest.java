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
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;

/** What policies are told and asked, and what their failures do. */
class PoliciesTest extends LogRig {

  @Test
  void theBytesUntilARollAreExactForPoliciesOfASize() throws IOException {
    Files.writeString(path(), "0123456789\n");
    Files.setLastModifiedTime(path(), FileTime.fromMillis(NOW_MS));
    RollingLog log = LogUnderTest.started(rolling("a.%d.%i.log"));
    assertThat(log.bytesUntilRoll()).isEqualTo(89);
    Position start = log.position();
    LogUnderTest.append(log, "x".repeat(49) + "\n");
    assertThat(log.bytesUntilRoll()).isEqualTo(39);
    log.truncate(start);
    assertThat(log.bytesUntilRoll()).isEqualTo(89);
    LogUnderTest.append(log, "x".repeat(99) + "\n");
    assertThat(log.bytesUntilRoll()).isEqualTo(1);
    roll(log);
    assertThat(log.bytesUntilRoll()).isEqualTo(100);

    LogUnderTest.append(log, "x".repeat(49) + "\n");
    Files.write(path(), new byte[0]);
    log.close();
    log.open();
    assertThat(log.bytesUntilRoll()).isEqualTo(100);
  }

  @Test
  void theLimitOfTheSizeAndTimePolicyIsKnown() throws IOException {
    SizeAndTimeBasedRollingPolicy<byte[]> policy = new SizeAndTimeBasedRollingPolicy<>();
    policy.setContext(context);
    policy.setParent(build.parent(file()));
    policy.setFileNamePattern(dir + "/a.%d.%i.log");
    policy.setMaxFileSize(FileSize.valueOf("12345"));
    RollingLog log = LogUnderTest.started(build.rolling(file(), policy, "", ""));

    assertThat(policy.isStarted()).isTrue();
    assertThat(log.bytesUntilRoll()).isEqualTo(12345);
  }

  @Test
  void policiesWithoutASizeAreAskedEvery256KbAndStopWithTheLog() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily("");
    RollingLog log = LogUnderTest.started(build.rolling(file(), policy, "", ""));
    assertThat(log.bytesUntilRoll()).isEqualTo(256 * 1024);
    log.close();
    assertThat(policy.isStarted()).isTrue();
    log.open();
    LogUnderTest.stop(log);
    assertThat(policy.isStarted()).isFalse();
    log.open();
    assertThat(policy.isStarted()).isTrue();
  }

  @Test
  void aForeignPolicyThatThrowsStopsNothingAndWarnsOnceAStreak() throws IOException {
    Foreign policy = new Foreign(dir, build.parent(file()));
    RollingLog log =
        LogUnderTest.started(build.rolling(file(), policy, policy, "", LogUnderTest.FOOTER));
    policy.triggerFails = true;
    for (int i = 0; i < 3; i++) {
      assertThat(log.isRollDue()).isFalse();
      LogUnderTest.append(log, "a\n");
    }
    assertThat(build.warnings)
        .singleElement()
        .asString()
        .contains("Foreign failed", "app.log is not rolled");

    policy.triggerFails = false;
    policy.due = true;
    policy.rolloverFails = true;
    roll(log);
    LogUnderTest.append(log, "b\n");
    assertThat(content()).isEqualTo("a\na\na\n# foot\nb\n");
    assertThat(build.warnings).hasSize(2);
    assertThat(build.warnings.get(1)).contains("keeps growing", "scripted");

    policy.rolloverFails = false;
    roll(log);
    assertThat(content("rolled.1")).isEqualTo("a\na\na\n# foot\nb\n# foot\n");
    assertThat(policy.rollovers).isEqualTo(2);
  }

  @Test
  void aPolicyThatCannotStartLeavesOneFile() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = build.unstarted(build.parent(file()), "no date");
    RollingLog log = LogUnderTest.started(build.rolling(file(), policy, "", ""));
    assertThat(log.isRollDue()).isFalse();
    LogUnderTest.append(log, "x\n");

    assertThat(content()).isEqualTo("x\n");
    assertThat(build.warnings.get(0)).contains("could not be started");
  }

  @Test
  void aPolicyThatNamesNoFileIsAnErrorOfOpen() {
    TimeBasedRollingPolicy<byte[]> policy = build.unstarted(build.parent(null), "no date");
    RollingLog log = build.rolling(null, policy, "", "");

    assertThatThrownBy(log::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot name");
    assertThat(log.name()).isNotEmpty();
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
