package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A log of several files is written again and again, and each time another call of the disk fails,
 * until the run is over before the call comes. Whatever failed, a caller that closes, opens and
 * continues gets every record once, in order and whole, and sections in order.
 */
@Tag("once")
class EveryCallMayFailTest extends LogRig {

  @Test
  void recordsAreWholeInOrderAndOnce() throws IOException {
    List<String> records = LogUnderTest.records(1, 16);
    int nth = 0;
    boolean failed;
    do {
      nth++;
      LogUnderTest build = new LogUnderTest(context);
      Path run = Files.createDirectory(dir.resolve("run" + nth));
      build.disk.limitWrites(25).failAnyOnce(nth, new IOException("scripted failure " + nth));
      write(build, run, records);
      failed = !build.disk.hasFaultsAhead();
      assertWhole(run, records, nth);
      assertThat(build.warnings).as("warnings with call %s failing", nth).isEmpty();
    } while (failed);
    assertThat(nth).isGreaterThan(100);
  }

  private static void write(LogUnderTest build, Path run, List<String> records) {
    String file = run.resolve("app.log").toString();
    TimeBasedRollingPolicy<byte[]> policy =
        build.bySizeAndTime(build.parent(file), run + "/app.%d{yyyy-MM-dd}.%i.log", "150", NOW_MS);
    RollingLog log = build.rolling(file, policy, LogUnderTest.HEADER, LogUnderTest.FOOTER);
    ByteBuffer record = ByteBuffer.allocate(0);
    int next = 0;
    boolean begun = false;
    while (next < records.size() || record.hasRemaining() || !begun || !LogUnderTest.isOpen(log)) {
      try {
        if (!LogUnderTest.isOpen(log) || !log.isUndisturbed()) {
          log.close();
          log.open();
          begun = false;
        }
        while (record.hasRemaining()) {
          log.append(record);
        }
        if (!begun) {
          log.begin();
          begun = true;
        }
        if (log.isRollDue()) {
          log.force();
          log.roll();
        }
        if (next < records.size()) {
          record = LogUnderTest.utf8(records.get(next++));
        }
      } catch (IOException e) {
        log.close();
      }
    }
    endInTheEnd(log);
    log.close();
  }

  private static void endInTheEnd(RollingLog log) {
    for (int attempt = 1; ; attempt++) {
      try {
        log.end();
        return;
      } catch (IOException e) {
        assertThat(attempt).as("attempts to end").isLessThan(2);
      }
    }
  }

  private static void assertWhole(Path run, List<String> records, int nth) throws IOException {
    Map<String, String> files = LogUnderTest.files(run);
    StringBuilder all = new StringBuilder();
    List<String> names = new ArrayList<>();
    for (int i = 0; files.containsKey("app.2024-03-01." + i + ".log"); i++) {
      names.add("app.2024-03-01." + i + ".log");
    }
    names.add("app.log");
    for (String name : names) {
      String content = files.get(name);
      assertThat(content)
          .as("%s with call %s failing", name, nth)
          .startsWith(LogUnderTest.HEADER)
          .endsWith(LogUnderTest.FOOTER);
      all.append(
          content, LogUnderTest.HEADER.length(), content.length() - LogUnderTest.FOOTER.length());
    }
    assertThat(all.toString())
        .as("records with call %s failing", nth)
        .isEqualTo(String.join("", records));
    assertThat(files).hasSameSizeAs(names).hasSizeGreaterThan(3);
  }
}
