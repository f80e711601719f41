package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.util.FileSize;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.XZInputStream;

/** Compression and deletion of archives stay what the policies make of them. */
class RetentionTest {
  private static final long NOW_MS = Instant.parse("2024-03-01T10:00:00Z").toEpochMilli();
  private static final long DAY_MS = 24 * 3600 * 1000L;

  @AutoClose("stop")
  private final LoggerContext context = new OneThreadContext();

  private final LogUnderTest build = new LogUnderTest(context);
  @TempDir Path dir;

  private TimeBasedRollingPolicy<byte[]> daily(String suffix) {
    return build.unstarted(
        build.parent(dir + "/app.log"), dir + "/app.%d{yyyy-MM-dd}.%i.log" + suffix);
  }

  /** One record a day, the first on 1 March. */
  private void runDays(TimeBasedRollingPolicy<byte[]> policy, int days) throws IOException {
    LogUnderTest.limit(policy, "1MB", NOW_MS);
    policy.start();
    RollingLog log = LogUnderTest.started(build.rolling(dir + "/app.log", policy, "", ""));
    for (int day = 0; day < days; day++) {
      policy.getTimeBasedFileNamingAndTriggeringPolicy().setCurrentTime(NOW_MS + day * DAY_MS);
      if (log.isRollDue()) {
        log.roll();
      }
      LogUnderTest.append(log, "day " + day + "\n");
    }
    LogUnderTest.stop(log);
    build.awaitArchiving();
    assertThat(build.warnings).isEmpty();
  }

  @Test
  void gz() throws IOException {
    runDays(daily(".gz"), 2);
    assertThat(LogUnderTest.files(dir))
        .containsEntry("app.2024-03-01.0.log.gz", "day 0\n")
        .containsEntry("app.log", "day 1\n")
        .hasSize(2);
  }

  @Test
  void zip() throws IOException {
    runDays(daily(".zip"), 2);
    Path archive = dir.resolve("app.2024-03-01.0.log.zip");
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(archive))) {
      assertThat(in.getNextEntry()).isNotNull();
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("day 0\n");
    }
  }

  @Test
  void xz() throws IOException {
    runDays(daily(".xz"), 2);
    Path archive = dir.resolve("app.2024-03-01.0.log.xz");
    try (InputStream in = new XZInputStream(Files.newInputStream(archive))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("day 0\n");
    }
  }

  @Test
  void maxHistoryDeletesWhatIsOlder() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily("");
    policy.setMaxHistory(2);
    runDays(policy, 6);
    assertThat(LogUnderTest.files(dir))
        .containsOnlyKeys("app.log", "app.2024-03-04.0.log", "app.2024-03-05.0.log");
  }

  @Test
  void totalSizeCapDeletesWhatIsTooMuch() throws IOException {
    TimeBasedRollingPolicy<byte[]> policy = daily("");
    policy.setMaxHistory(20);
    policy.setTotalSizeCap(new FileSize(12));
    runDays(policy, 6);
    assertThat(LogUnderTest.files(dir))
        .containsOnlyKeys("app.log", "app.2024-03-04.0.log", "app.2024-03-05.0.log");
  }

  @Test
  void historyIsCleanedOnStart() throws IOException {
    Files.writeString(dir.resolve("app.2024-02-20.0.log"), "old\n");
    TimeBasedRollingPolicy<byte[]> policy = daily("");
    policy.setMaxHistory(2);
    policy.setCleanHistoryOnStart(true);
    runDays(policy, 1);
    assertThat(LogUnderTest.files(dir)).containsOnlyKeys("app.log");
  }
}
