package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A roll that someone asks for, whatever the policy thinks of the time and the size. */
class RequestedRollTest extends LogRig {

  private RollingLog large() throws IOException {
    return LogUnderTest.started(
        build.rolling(
            file(),
            build.bySizeAndTime(build.parent(file()), dir + "/" + BY_SIZE, "1GB", NOW_MS),
            "",
            ""));
  }

  @Test
  void theLogIsRolledBetweenTwoRecordsAndOnce() throws IOException {
    RollingLog log = large();
    LogUnderTest.append(log, "one\n");
    CompletableFuture<String> answer = log.requestRoll();
    assertThat(log.requestRoll()).as("shared until it is done").isSameAs(answer);
    assertThat(log.settledForNs(NOW_MS)).as("the shipper must not sleep on it").isZero();
    LogUnderTest.append(log, "two\n");
    assertThat(content()).as("only under the checkpoint").isEqualTo("one\ntwo\n");
    assertThat(log.isRollDue()).isTrue();
    assertThat(answer).isNotDone();
    log.roll();
    assertThat(answer).isCompletedWithValue("");
    assertThat(log.isRollDue()).isFalse();
    LogUnderTest.append(log, "three\n");

    assertThat(content("app.2024-03-01.0.log")).isEqualTo("one\ntwo\n");
    assertThat(content()).isEqualTo("three\n");
    assertThat(log.bytesUntilRoll()).as("the policy counts from the start").isGreaterThan(1);
  }

  @Test
  void aLogThatCannotBeRolledOnRequestSaysWhy() throws IOException {
    RollingLog log = LogUnderTest.started(build.rolling(file(), daily(""), "", ""));
    LogUnderTest.append(log, "one\n");
    CompletableFuture<String> answer = log.requestRoll();
    assertThat(log.isRollDue()).isFalse();
    assertThat(answer.join()).contains("configure a SizeAndTimeBasedRollingPolicy");
    assertThat(content()).isEqualTo("one\n");
    log.close();

    log = LogUnderTest.started(plain());
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
}
