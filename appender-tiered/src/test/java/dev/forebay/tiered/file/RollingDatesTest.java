package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Logback's dates where calendars are strange: what the documents say of them. */
class RollingDatesTest extends LogRig {

  private TimeBasedRollingPolicy<byte[]> policy(String pattern, String now) throws IOException {
    Files.createFile(path());
    Files.setLastModifiedTime(path(), FileTime.from(Instant.parse(now)));
    TimeBasedRollingPolicy<byte[]> policy = unstarted(parent(file()), dir + "/" + pattern);
    unlimited(policy, Instant.parse(now).toEpochMilli());
    policy.start();
    return policy;
  }

  private static boolean isDue(RollingLog log, TimeBasedRollingPolicy<?> policy, String now) {
    policy
        .getTimeBasedFileNamingAndTriggeringPolicy()
        .setCurrentTime(Instant.parse(now).toEpochMilli());
    return log.isRollDue();
  }

  @Test
  void anHourThatComesTwiceHasOneArchive() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy =
        policy("app.%d{yyyy-MM-dd_HH, Europe/Berlin}.log", "2026-10-25T00:10:00Z");
    RollingLog log = started(rolling(policy));
    append(log, "first\n");
    assertThat(isDue(log, policy, "2026-10-25T01:10:00Z")).isFalse();
    append(log, "second\n");
    assertThat(isDue(log, policy, "2026-10-25T02:00:00Z")).isTrue();
    log.roll();

    assertThat(content("app.2026-10-25_02.log")).isEqualTo("first\nsecond\n");
    stop(log);
  }

  @Test
  void afterAMidnightThatDoesNotExistTheNextDayBeginsAtOneToo() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy =
        policy("app.%d{yyyy-MM-dd, Asia/Beirut}.log", "2026-03-29T10:00:00Z");
    RollingLog log = started(rolling(policy));
    append(log, "a\n");
    assertThat(isDue(log, policy, "2026-03-29T21:59:59Z")).as("00:59:59 there").isFalse();
    assertThat(isDue(log, policy, "2026-03-29T22:00:00Z")).isTrue();
    log.roll();
    stop(log);
  }

  @Test
  void aWeekThatBeginsInDecemberIsNotMixedWithThatOfJanuary() throws IOException {
    Files.writeString(dir.resolve("app.2025-01.log"), "of January\n");
    TimeBasedRollingPolicy<byte[]> policy = policy("app.%d{yyyy-ww}.log", "2025-12-30T10:00:00Z");
    RollingLog log = started(rolling(policy));
    append(log, "of December\n");
    assertThat(isDue(log, policy, "2026-01-10T10:00:00Z")).isTrue();
    log.roll();

    assertThat(names()).containsExactly("app.2025-01.log", "app.log");
    assertThat(content("app.2025-01.log")).isEqualTo("of January\n");
    assertThat(content()).isEqualTo("of December\n");
    assertThat(warnings).singleElement().asString().contains("app.2025-01.log", "is taken");
    stop(log);
  }

  private static String daysAgo(int age) {
    Instant day = Instant.ofEpochMilli(NOW_MS - age * DAY_MS);
    return "app." + day.toString().substring(0, 10) + ".log";
  }

  @Test
  void aDailyArchiveIsRemovedForThirtyTwoDaysAfterItIsDue() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy =
        unstarted(parent(file()), dir + "/app.%d{yyyy-MM-dd, UTC}.log");
    unlimited(policy, NOW_MS);
    policy.setMaxHistory(3);
    policy.start();
    for (int age = 30; age < 45; age++) {
      Files.createFile(dir.resolve(daysAgo(age)));
    }
    Files.createFile(path());
    Files.setLastModifiedTime(path(), FileTime.fromMillis(NOW_MS - DAY_MS));
    RollingLog log = started(rolling(policy));
    append(log, "a\n");
    roll(log);
    log.archive();
    stop(log);

    assertThat(names()).doesNotContain(daysAgo(35)).contains(daysAgo(36), daysAgo(44));
  }
}
