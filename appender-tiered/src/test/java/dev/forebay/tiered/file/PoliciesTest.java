package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.LengthCounter;
import ch.qos.logback.core.rolling.LengthCounterBase;
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
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What policies are told and asked, and what their failures do. */
class PoliciesTest {
  private static final long NOW_MS = Instant.parse("2024-03-01T10:00:00Z").toEpochMilli();

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

  private String content(String name) throws IOException {
    return Files.readString(dir.resolve(name));
  }

  @Test
  void bytesUntilRollIsExactAndCappedForSizePolicies() throws IOException {
    Files.writeString(Path.of(file()), "0123456789\n");
    Files.setLastModifiedTime(Path.of(file()), FileTime.fromMillis(NOW_MS));
    TimeBasedRollingPolicy<byte[]> policy =
        build.bySizeAndTime(build.parent(file()), dir + "/a.%d.%i.log", "100", NOW_MS);
    RollingLog log = LogUnderTest.started(build.rolling(file(), policy, "", ""));
    assertThat(log.bytesUntilRoll()).isEqualTo(89);
    Position start = log.position();
    LogUnderTest.append(log, "x".repeat(49) + "\n");
    assertThat(log.bytesUntilRoll()).isEqualTo(39);
    log.truncate(start);
    assertThat(log.bytesUntilRoll()).isEqualTo(89);
    LogUnderTest.append(log, "x".repeat(99) + "\n");
    assertThat(log.bytesUntilRoll()).isEqualTo(1);
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    assertThat(log.bytesUntilRoll()).isEqualTo(100);

    LogUnderTest.append(log, "x".repeat(49) + "\n");
    Files.write(Path.of(file()), new byte[0]);
    log.close();
    log.open();
    assertThat(log.bytesUntilRoll()).isEqualTo(100);
  }

  @Test
  void limitOfTheSizeAndTimePolicyIsKnown() throws IOException {
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
  void policiesWithoutASizeAreAskedEveryFewBytes() throws IOException {
    RollingLog timed = LogUnderTest.started(build.rolling(file(), daily(), "", ""));
    assertThat(timed.bytesUntilRoll()).isEqualTo(256 * 1024);
    RollingLog plain = LogUnderTest.started(build.plain(dir.resolve("plain.log"), true));
    assertThat(plain.bytesUntilRoll()).isGreaterThanOrEqualTo(256 * 1024);
    assertThat(plain.isRollDue()).isFalse();
  }

  @Test
  void policiesStopWithTheLogAndStartWithItAgain() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily();
    RollingLog log = LogUnderTest.started(build.rolling(file(), policy, "", ""));
    log.close();
    assertThat(policy.isStarted()).isTrue();
    log.open();
    LogUnderTest.stop(log);
    assertThat(policy.isStarted()).isFalse();
    log.open();
    assertThat(policy.isStarted()).isTrue();
  }

  @Test
  void foreignPolicyThatThrowsStopsNothingAndWarnsOnceAStreak() throws IOException {
    Foreign policy = new Foreign(dir, build.parent(file()));
    RollingLog log =
        LogUnderTest.started(build.rolling(file(), policy, policy, "", LogUnderTest.FOOTER));
    policy.triggerFails = true;
    for (int i = 0; i < 3; i++) {
      assertThat(log.isRollDue()).isFalse();
      LogUnderTest.append(log, "a\n");
    }
    assertThat(build.warnings).hasSize(1);
    assertThat(build.warnings.get(0)).contains("Foreign failed", "app.log is not rolled");

    policy.triggerFails = false;
    policy.due = true;
    policy.rolloverFails = true;
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    LogUnderTest.append(log, "b\n");
    assertThat(content("app.log")).isEqualTo("a\na\na\n# foot\nb\n");
    assertThat(build.warnings).hasSize(2);
    assertThat(build.warnings.get(1)).contains("keeps growing", "scripted");

    policy.rolloverFails = false;
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    assertThat(content("rolled.1")).isEqualTo("a\na\na\n# foot\nb\n# foot\n");
    assertThat(policy.rollovers).isEqualTo(2);
  }

  @Test
  void foreignCounterThatThrowsIsLeftAlone() throws IOException {
    Foreign policy = new Foreign(dir, build.parent(file()));
    policy.counter =
        new LengthCounterBase() {
          @Override
          public void add(long bytes) {
            throw new IllegalStateException("scripted counter");
          }
        };
    RollingLog log = LogUnderTest.started(build.rolling(file(), policy, policy, "", ""));
    assertThat(log.isRollDue()).isFalse();
    LogUnderTest.append(log, "x\n");
    assertThat(log.isRollDue()).isFalse();
    LogUnderTest.append(log, "y\n");
    assertThat(content("app.log")).isEqualTo("x\ny\n");
    assertThat(build.warnings).hasSize(1);
    assertThat(build.warnings.get(0)).contains("scripted counter");
  }

  @Test
  void policyThatCannotStartLeavesOneFile() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = build.unstarted(build.parent(file()), "no date");
    RollingLog log = LogUnderTest.started(build.rolling(file(), policy, "", ""));
    assertThat(log.isRollDue()).isFalse();
    LogUnderTest.append(log, "x\n");
    assertThat(content("app.log")).isEqualTo("x\n");
    assertThat(build.warnings.get(0)).contains("could not be started");
  }

  @Test
  void policyThatNamesNoFileIsAnErrorOfOpen() {
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
    LengthCounter counter;
    boolean triggerFails;
    boolean rolloverFails;
    boolean due;
    long limitBytes = Long.MAX_VALUE;
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
    public LengthCounter getLengthCounter() {
      return counter;
    }

    @Override
    public boolean isTriggeringEvent(File activeFile, Object event) {
      if (triggerFails) {
        throw new NullPointerException("event");
      }
      return due || (counter != null && counter.getLength() >= limitBytes);
    }
  }
}
