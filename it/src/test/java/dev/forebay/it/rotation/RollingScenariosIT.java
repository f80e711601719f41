package dev.forebay.it.rotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Logback's file appenders are tested for, and other appenders or a full disk in the way. */
class RollingScenariosIT {

  private static final int THREADS = 10;
  private static final int EACH = 400;

  /** Rolled with each event that finds the clock a millisecond later. */
  private static final String BY_TIME =
      """
      <rollingPolicy class="ch.qos.logback.core.rolling.TimeBasedRollingPolicy">
        <fileNamePattern>DIR/app-%d{yyyy-MM-dd'T'HH_mm_ss_SSS}.log</fileNamePattern>
      </rollingPolicy>
      """;

  private static final String FIXED_WINDOW =
      """
      <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
        <fileNamePattern>DIR/app.%i.log</fileNamePattern><minIndex>1</minIndex><maxIndex>20</maxIndex>
      </rollingPolicy>
      <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
        <maxFileSize>100KB</maxFileSize><checkIncrement>0 milliseconds</checkIncrement>
      </triggeringPolicy>
      """;

  @AutoClose private final Places places = Places.create();

  /** An appender with all time that it needs. */
  private Tiered one(String inner) throws Exception {
    return Tiered.with(
        inner.replace("DIR", places.logDirectory().toString()),
        "<spoolDirectory>" + places.spool() + "</spoolDirectory>",
        "<appendTimeout>30 seconds</appendTimeout><maxFlushTime>30 seconds</maxFlushTime>",
        Xml.FAST,
        Xml.MESSAGES);
  }

  private String file() {
    return "<file>" + places.log() + "</file>";
  }

  private static void stopSettled(Tiered logback, TieredAppender appender, long offered) {
    logback.context().stop();
    assertThat(logback.errors()).isEmpty();
    assertThat(appender.snapshot().toString())
        .isEqualTo("offered %1$d = delivered %1$d + dropped 0 {} + in flight 0".formatted(offered));
  }

  /** Nothing but whole lines of these producers, in order and once; from any number of files. */
  private static void requireAll(List<String> lines, int count, String... producers) {
    Oracle oracle = new Oracle();
    for (String producer : producers) {
      oracle.producer(producer, count, count);
    }
    oracle.complete(0).requireSound(lines);
  }

  @ParameterizedTest
  @ValueSource(strings = {FIXED_WINDOW, BY_TIME})
  void tenThreadsOverManyRollsLoseAndDoubleNoLine(String policy) throws Exception {
    try (Tiered logback = one(file() + policy)) {
      TieredAppender appender = logback.appender();
      List<Thread> threads =
          IntStream.range(0, THREADS)
              .mapToObj(i -> new Thread(() -> logback.log("t" + i, 0, EACH)))
              .toList();
      threads.forEach(Thread::start);
      threads.forEach(Await::end);
      stopSettled(logback, appender, THREADS * EACH);
    }
    LogFiles files = LogFiles.of(places.log());
    if (policy.equals(FIXED_WINDOW)) {
      files.numberedFromNewest();
    }
    assertThat(files.fileCount()).isGreaterThan(2);
    String[] producers = IntStream.range(0, THREADS).mapToObj(i -> "t" + i).toArray(String[]::new);
    requireAll(files.lines(), EACH, producers);
  }

  /** A rename to another file system is a copy. */
  @Test
  void archivesMayBeOnAnotherFileSystem() throws Exception {
    int count = 2000;
    Path elsewhere = Files.createTempDirectory(places.spool(), "archives");
    try (Tiered logback = one(file() + Xml.rollBySize(elsewhere, "20KB"))) {
      stopSettled(logback.log("p", 0, count), logback.appender(), count);
      assertThat(logback.warnings()).anyMatch(text -> text.contains("different file systems"));
    }
    LogFiles archives = LogFiles.of(elsewhere.resolve("app.log"));
    assertThat(archives.fileCount()).isGreaterThan(2);
    List<String> lines = new ArrayList<>(archives.lines());
    lines.addAll(LogFiles.linesOf(places.log()));
    requireAll(lines, count, "p");
  }

  @Test
  void aDiskThatIsFullWhileAnArchiveIsPackedCostsNoLine() throws Exception {
    try (Mounted memory = Mounted.memory(places, "size=512k")) {
      Path log = memory.at().resolve("app.log");
      Path filler = memory.at().resolve("filler");
      String policy = Xml.rollBySize(memory.at(), "100KB").replace("%i.log", "%i.log.gz");
      String inner = "<file>" + log + "</file>" + policy;
      int count = 0;
      try (Tiered logback = one(inner)) {
        for (; !Files.exists(log) || Files.size(log) < 90_000; count += 10) {
          logback.log("p", count, 10).flush();
        }
        int before = count;
        fillUp(filler);
        for (; logback.problems().stream().noneMatch(this::isOfPacking); count += 10) {
          assertThat(count).as("rolled").isLessThan(10 * before);
          logback.log("p", count, 10);
          Await.pass(Duration.ofMillis(20));
        }
        Files.delete(filler);
      }
      one(inner).close(); // packs it
      requireAll(LogFiles.of(log).lines(), count, "p");
    }
  }

  private boolean isOfPacking(String problem) {
    return problem.contains("while compressing") || problem.contains("which cannot be created");
  }

  /** Leaves room for the rest of the active file, not for a packed one. */
  private static void fillUp(Path filler) throws IOException {
    long free = Files.getFileStore(filler.resolveSibling("")).getUsableSpace();
    Files.write(filler, new byte[(int) free - (20 << 10)]);
  }
}
