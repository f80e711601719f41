package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A roll that someone asks for, whatever the policy thinks of the time and the size. */
class RequestedRollTest {
  private static final long NOW_MS = Instant.parse("2024-03-01T10:00:00Z").toEpochMilli();

  @AutoClose("stop")
  private final LoggerContext context = new LoggerContext();

  private final LogUnderTest build = new LogUnderTest(context);
  @TempDir Path dir;

  private String file() {
    return dir.resolve("app.log").toString();
  }

  private RollingLog bySizeAndTime() throws IOException {
    return LogUnderTest.started(
        build.rolling(
            file(),
            build.bySizeAndTime(
                build.parent(file()), dir + "/app.%d{yyyy-MM-dd}.%i.log", "1GB", NOW_MS),
            "",
            ""));
  }

  private String content(String name) throws IOException {
    return Files.readString(dir.resolve(name));
  }

  @Test
  void theLogIsRolledBetweenTwoRecordsAndOnce() throws IOException {
    RollingLog log = bySizeAndTime();
    LogUnderTest.append(log, "one\n");
    CompletableFuture<String> answer = log.requestRoll();
    assertThat(log.settledForNs(NOW_MS)).as("the shipper must not sleep on it").isZero();
    LogUnderTest.append(log, "two\n");
    assertThat(content("app.log")).as("only under the checkpoint").isEqualTo("one\ntwo\n");
    assertThat(log.isRollDue()).isTrue();
    assertThat(answer).isNotDone();
    log.roll();

    assertThat(answer).isCompletedWithValue("");
    assertThat(log.isRollDue()).isFalse();
    LogUnderTest.append(log, "three\n");
    assertThat(content("app.2024-03-01.0.log")).isEqualTo("one\ntwo\n");
    assertThat(content("app.log")).isEqualTo("three\n");
    assertThat(log.bytesUntilRoll()).as("the policy counts from the start").isGreaterThan(1);
  }

  @Test
  void eachRequestHasAnArchiveOfItsOwn() throws IOException {
    RollingLog log = bySizeAndTime();
    for (int i = 0; i < 3; i++) {
      LogUnderTest.append(log, i + "\n");
      CompletableFuture<String> answer = log.requestRoll();
      assertThat(log.isRollDue()).isTrue();
      log.roll();
      assertThat(answer).isCompletedWithValue("");
    }
    for (int i = 0; i < 3; i++) {
      assertThat(content("app.2024-03-01." + i + ".log")).isEqualTo(i + "\n");
    }
  }

  @Test
  void thoseWhoAskBeforeARollShareIt() throws IOException {
    RollingLog log = bySizeAndTime();
    LogUnderTest.append(log, "one\n");
    assertThat(log.requestRoll()).isSameAs(log.requestRoll());
  }

  @Test
  void aFixedWindowIsRolledToo() throws IOException {
    RollingLog log =
        LogUnderTest.started(
            build.rolling(
                file(),
                build.fixedWindow(build.parent(file()), dir + "/app.%i.log"),
                build.bySize("1GB"),
                "",
                ""));
    LogUnderTest.append(log, "one\n");
    CompletableFuture<String> answer = log.requestRoll();
    assertThat(log.isRollDue()).isTrue();
    log.roll();
    assertThat(answer).isCompletedWithValue("");
    assertThat(content("app.1.log")).isEqualTo("one\n");
  }

  @Test
  void aPolicyWithOneArchiveForEachPeriodRefuses() throws IOException {
    RollingLog log =
        LogUnderTest.started(
            build.rolling(
                file(),
                build.byTime(build.parent(file()), dir + "/app.%d{yyyy-MM-dd}.log", NOW_MS),
                "",
                ""));
    LogUnderTest.append(log, "one\n");
    CompletableFuture<String> answer = log.requestRoll();
    assertThat(log.isRollDue()).isFalse();
    assertThat(answer.join()).contains("configure a SizeAndTimeBasedRollingPolicy");
    assertThat(content("app.log")).isEqualTo("one\n");
  }

  @Test
  void aLogWithoutAPolicyRefuses() throws IOException {
    RollingLog log = LogUnderTest.started(build.plain(dir.resolve("app.log"), true));
    CompletableFuture<String> answer = log.requestRoll();
    assertThat(log.isRollDue()).isFalse();
    assertThat(answer.join()).contains("has no <rollingPolicy>");
  }

  @Test
  void aLogWithoutRecordsSaysSo() throws IOException {
    RollingLog log = bySizeAndTime();
    CompletableFuture<String> answer = log.requestRoll();
    log.rollIsNeedless();
    assertThat(answer.join()).contains("no records");
  }
}
