package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.host.Await;
import dev.forebay.observe.LedgerSnapshot;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several appenders of one process with one log file: one ships for both. */
@Tag("once")
class OneFileTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path directory;

  private final LoggerContext context = new LoggerContext();
  private final List<LoggerContext> others = new ArrayList<>();

  @BeforeEach
  void createPlaces() throws IOException {
    Files.createDirectory(directory.resolve("spool"));
    Files.createDirectory(directory.resolve("sub"));
  }

  @AfterEach
  void stop() {
    context.stop();
    others.forEach(LoggerContext::stop);
  }

  private TieredAppender appender(LoggerContext of, String name, String file) {
    TieredAppender appender =
        Joran.unstarted(of, name, directory.resolve(file), directory.resolve("spool"));
    appender.setFsync("1 hour"); // so that a change of turns commits, or who waits
    return appender;
  }

  private TieredAppender started(LoggerContext of, String name, String file) {
    TieredAppender appender = appender(of, name, file);
    appender.start();
    of.getLogger("ROOT").addAppender(appender);
    return appender;
  }

  private void log(TieredAppender to, String message) {
    to.doAppend(new LoggingEvent("", context.getLogger("test"), Level.INFO, message, null, null));
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(directory.resolve("app.log"));
  }

  private List<String> problems(LoggerContext of) {
    Await.said();
    return of.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getLevel() >= Status.WARN)
        .map(Status::getMessage)
        .filter(text -> !text.contains(" is not on tmpfs"))
        .toList();
  }

  private static void requireAllDelivered(TieredAppender appender, long events) {
    LedgerSnapshot account = appender.snapshot();
    Joran.requireLaw(account);
    assertThat(account.offered()).isEqualTo(events);
    assertThat(account.delivered()).as("%s", account).isEqualTo(events);
    assertThat(account.durableUpTo()).hasValue(events);
  }

  @ParameterizedTest
  @ValueSource(strings = {"app.log", "sub/../app.log", "./app.log"})
  void bothAreShippedWhileBothRun(String spelledOtherwise) throws IOException {
    TieredAppender first = started(context, "ONE", "app.log");
    TieredAppender second = started(context, "TWO", spelledOtherwise);
    for (int i = 0; i < 3; i++) {
      log(first, "first " + i);
      assertThat(first.flush(PATIENCE)).isTrue();
      log(second, "second " + i);
      assertThat(second.flush(PATIENCE)).isTrue();
    }
    assertThat(lines())
        .containsExactly("first 0", "second 0", "first 1", "second 1", "first 2", "second 2");
    requireAllDelivered(first, 3);
    requireAllDelivered(second, 3);
    assertThat(problems(context)).isEmpty();
  }

  @Test
  void nobodyNeedsToAskForIt() throws IOException {
    TieredAppender first = started(context, "ONE", "app.log");
    TieredAppender second = started(context, "TWO", "app.log");
    for (int i = 0; i < 3; i++) {
      log(first, "first");
      log(second, "second");
      long expected = 2L * i + 2;
      Await.until("both are there", () -> lines().size() == expected);
    }
  }

  @Test
  void ofTwoContextsToo() throws IOException {
    LoggerContext other = new LoggerContext();
    others.add(other);
    TieredAppender first = started(context, "ONE", "app.log");
    TieredAppender second = started(other, "TWO", "app.log");
    log(second, "second");
    assertThat(second.flush(PATIENCE)).isTrue();
    log(first, "first");
    assertThat(first.flush(PATIENCE)).isTrue();
    assertThat(lines()).containsExactly("second", "first");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingWaitsForTheNextStartWhicheverStopsFirst(boolean firstOne) throws IOException {
    TieredAppender first = started(context, "ONE", "app.log");
    TieredAppender second = started(context, "TWO", "app.log");
    int count = 2000;
    for (int i = 0; i < count; i++) {
      log(first, "first " + i);
      log(second, "second " + i);
    }
    (firstOne ? first : second).stop();
    TieredAppender last = firstOne ? second : first;
    log(last, "after");
    assertThat(last.flush(PATIENCE)).isTrue();
    last.stop();
    requireAllDelivered(first, firstOne ? count : count + 1);
    requireAllDelivered(second, firstOne ? count + 1 : count);
    requireEachOnceInOrder("first", count);
    requireEachOnceInOrder("second", count);
    assertThat(lines()).hasSize(2 * count + 1).endsWith("after");
    assertThat(problems(context)).isEmpty();
    try (Stream<Path> left = Files.walk(directory.resolve("spool"))) {
      assertThat(left).as("spools").containsExactly(directory.resolve("spool"));
    }
  }

  private void requireEachOnceInOrder(String of, int count) throws IOException {
    assertThat(lines().stream().filter(line -> line.startsWith(of + " ")))
        .containsExactlyElementsOf(IntStream.range(0, count).mapToObj(i -> of + " " + i).toList());
  }

  /** Each byte is of one encoder, and no line of the other begins within it. */
  @ParameterizedTest
  @CsvSource({"UTF-8, 1 ms", "ISO-8859-1, 1 hour", "UTF-16BE, never"})
  void underLoadEachLineIsThereOnceInItsOwnPatternAndCharset(String charset, String fsync)
      throws Exception {
    int count = 50_000;
    List<TieredAppender> both = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    List<Charset> charsets = List.of(StandardCharsets.UTF_8, Charset.forName(charset));
    for (int one = 0; one < 2; one++) {
      TieredAppender appender = appender(context, "APP" + one, "app.log");
      PatternLayoutEncoder encoder = new PatternLayoutEncoder();
      encoder.setContext(context);
      encoder.setPattern(one == 0 ? "%msg%n" : "%level é %msg%n");
      encoder.setCharset(charsets.get(one));
      appender.setEncoder(encoder);
      appender.setFsync(fsync);
      appender.start();
      both.add(appender);
      String name = one == 0 ? "first " : "second ";
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < count; i++) {
                  log(appender, name + i);
                  if (i % 5000 == 0) {
                    assertThat(appender.flush(PATIENCE)).isTrue();
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    threads.forEach(Await::end);
    both.forEach(one -> assertThat(one.flush(PATIENCE)).isTrue());
    List<Long> dropped = both.stream().map(one -> one.snapshot().dropped()).toList();
    both.forEach(TieredAppender::stop);
    assertThat(dropped).containsExactly(0L, 0L);
    both.forEach(one -> Joran.requireLaw(one.snapshot()));
    both.forEach(one -> assertThat(one.snapshot().delivered()).isEqualTo(count));
    requireSequences(Files.readAllBytes(directory.resolve("app.log")), charsets, count);
  }

  private static void requireSequences(byte[] log, List<Charset> charsets, int count) {
    int[] next = new int[2];
    int at = 0;
    while (at < log.length) {
      byte[] first = ("first " + next[0] + "\n").getBytes(charsets.get(0));
      byte[] second = ("INFO é second " + next[1] + "\n").getBytes(charsets.get(1));
      boolean isFirst = isAt(log, at, first);
      assertThat(isFirst || isAt(log, at, second))
          .as("at %d: after %d and %d lines", at, next[0], next[1])
          .isTrue();
      next[isFirst ? 0 : 1]++;
      at += isFirst ? first.length : second.length;
    }
    assertThat(next).containsExactly(count, count);
  }

  private static boolean isAt(byte[] log, int at, byte[] line) {
    int to = Math.min(log.length, at + line.length);
    return Arrays.equals(log, at, to, line, 0, line.length);
  }

  @Test
  void theFirstOnesPoliciesRollWhatBothWrite() throws IOException {
    TieredAppender first = appender(context, "ONE", "app.log");
    FixedWindowRollingPolicy rolling = new FixedWindowRollingPolicy();
    rolling.setContext(context);
    rolling.setParent(first);
    rolling.setFileNamePattern(directory + "/app.%i.log");
    rolling.start();
    SizeBasedTriggeringPolicy<ILoggingEvent> bySize = new SizeBasedTriggeringPolicy<>();
    bySize.setMaxFileSize(new FileSize(100));
    bySize.setCheckIncrement(ch.qos.logback.core.util.Duration.buildByMilliseconds(0));
    bySize.start();
    first.setRollingPolicy(rolling);
    first.setTriggeringPolicy(bySize);
    first.start();
    TieredAppender second = started(context, "TWO", "app.log");
    String line = "x".repeat(120);
    log(second, "1 " + line);
    assertThat(second.flush(PATIENCE)).isTrue();
    log(second, "2 " + line);
    assertThat(second.flush(PATIENCE)).isTrue();
    log(first, "3 " + line);
    assertThat(first.flush(PATIENCE)).isTrue();
    Await.until("it has rolled", () -> isRolled(line)); // one file after another
    first.stop();
  }

  private boolean isRolled(String line) {
    try {
      for (int i = 1; i <= 3; i++) {
        Path archive = directory.resolve("app." + (4 - i) + ".log");
        if (!Files.readAllLines(archive).equals(List.of(i + " " + line))) {
          return false;
        }
      }
      return true;
    } catch (IOException e) { // it is being renamed
      return false;
    }
  }

  /** A checkpoint has two positions. */
  @Test
  void aThirdWaitsUntilOneOfTheTwoStops() throws IOException {
    TieredAppender first = started(context, "ONE", "app.log");
    TieredAppender second = started(context, "TWO", "app.log");
    log(second, "second");
    assertThat(second.flush(PATIENCE)).isTrue();
    TieredAppender third = started(context, "THREE", "app.log");
    log(third, "third");
    Await.until(
        "it says so",
        () ->
            problems(context).stream()
                .anyMatch(text -> text.startsWith("Appender [THREE]: Another appender ships to ")));
    log(first, "first");
    assertThat(first.flush(PATIENCE)).isTrue();
    assertThat(lines()).containsExactly("second", "first");
    second.stop();
    assertThat(third.flush(PATIENCE)).isTrue();
    assertThat(lines()).containsExactly("second", "first", "third");
    assertThat(problems(context)).hasSize(1);
  }

  /** The second empties the file where it takes over: that must not be lines of its own. */
  @Test
  void oneThatEmptiesTheFileWaitsForIt() throws IOException {
    TieredAppender first = started(context, "ONE", "app.log");
    TieredAppender second = appender(context, "TWO", "app.log");
    second.setAppend(false);
    second.start();
    log(first, "first");
    log(second, "second");
    Await.until("it waits", () -> !problems(context).isEmpty());
    assertThat(first.flush(PATIENCE)).isTrue();
    assertThat(lines()).containsExactly("first");
    first.stop();
    assertThat(second.flush(PATIENCE)).isTrue();
    assertThat(lines()).containsExactly("second");
    second.stop();
    requireAllDelivered(second, 1);
  }

  @Test
  void aReconfigurationUnderLoadLosesNothingThatWasTaken() throws Exception {
    String configuration =
        """
        <configuration>
          <appender name="ONE" class="dev.forebay.tiered.TieredAppender">%1$s
            <encoder><pattern>first %%msg%%n</pattern></encoder>
          </appender>
          <appender name="TWO" class="dev.forebay.tiered.TieredAppender">%1$s
            <encoder><pattern>second %%msg%%n</pattern></encoder>
          </appender>
          <root level="INFO"><appender-ref ref="ONE"/><appender-ref ref="TWO"/></root>
        </configuration>
        """
            .formatted(
                "<file>%s/app.log</file><spoolDirectory>%s/spool</spoolDirectory>"
                    .formatted(directory, directory));
    List<TieredAppender> all = new ArrayList<>();
    int next = 0;
    for (int round = 0; round < 10; round++) {
      Joran.configure(context, configuration);
      for (String name : List.of("ONE", "TWO")) {
        all.add((TieredAppender) context.getLogger("ROOT").getAppender(name));
      }
      for (int i = 0; i < 200; i++) {
        context.getLogger("test").info("{}", next++);
      }
      context.reset();
    }
    requireEachOnceInOrder("first", next);
    requireEachOnceInOrder("second", next);
    assertThat(lines()).hasSize(2 * next);
    all.forEach(one -> requireAllDelivered(one, 200));
  }
}
