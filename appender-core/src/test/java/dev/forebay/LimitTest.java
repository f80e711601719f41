package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.filter.LevelFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.DropSummary;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.pipeline.OwnEvent;
import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Events;
import dev.forebay.testkit.Joran;
import dev.forebay.testkit.RecordingListener;
import dev.forebay.testkit.Rig;
import dev.forebay.testkit.Threads;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The limit on how many events a second an appender takes of a logger. */
class LimitTest {

  private static final int BURST = 50;
  private static final Pattern NUMBER_OF_LOGGER = Pattern.compile("(test[\\w.]*|others) (\\d+)");

  private final long startNs = System.nanoTime();

  /** One event a second after the burst: what passes depends on the time that a test takes. */
  private static LimitOptions limit(String logger, int burst) {
    LimitOptions limit = new LimitOptions();
    limit.setLogger(logger);
    limit.setPerSecond(1);
    limit.setBurst(burst);
    return limit;
  }

  private static Rig limited(LimitOptions... limits) {
    return Rig.started(
        appender -> {
          appender.setReportInterval(Rig.ms(10));
          List.of(limits).forEach(appender::addLimit);
        });
  }

  private void assertPassed(long events, long burst) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs) + 1;
    assertThat(events).isBetween(burst, burst + seconds);
  }

  private static long refused(Rig rig) {
    return rig.snapshot().dropped(DropReason.LIMITED);
  }

  private static final class Argument {
    private final AtomicInteger formatted = new AtomicInteger();

    @Override
    public String toString() {
      return "formatted " + formatted.incrementAndGet();
    }
  }

  @Test
  void whatIsBeyondIsRefusedUnformattedAndReportedByLogger() {
    Argument argument = new Argument();
    try (Rig rig = limited(limit("test", BURST))) {
      Logger database = rig.context.getLogger("test.Db");
      for (int i = 0; i < 200; i++) {
        rig.logger.info("{}", argument);
        database.info("{}", argument);
        database.debug("{}", argument);
      }
      rig.stop(600);
      LedgerSnapshot account = rig.snapshot();
      long passed = account.delivered() - account.reports();
      assertPassed(passed, BURST);
      assertThat(refused(rig)).isEqualTo(600 - passed);
      assertThat(argument.formatted).hasValue((int) passed);
      assertThat(rig.delegate.reports())
          .allMatch(line -> line.contains(": LIMITED ") && line.contains("; LIMITED: test"));
      long inReports = 0;
      for (String line : rig.delegate.reports()) {
        Matcher number = NUMBER_OF_LOGGER.matcher(line.substring(line.indexOf("; LIMITED: ")));
        while (number.find()) {
          inReports += Long.parseLong(number.group(2));
        }
      }
      assertThat(inReports).isEqualTo(refused(rig));
    }
  }

  @Test
  void theSameMessageOverAndOverIsCountedInOneLine() {
    LimitOptions limit = new LimitOptions();
    limit.setDuplicates(5);
    try (Rig rig = limited(limit)) {
      for (int i = 0; i < 100; i++) {
        rig.logger.info("{} lost", i);
        rig.logger.error("{} lost", i);
        rig.logger.info("other " + i);
      }
      rig.stop(300);
      LedgerSnapshot account = rig.snapshot();
      long passed = account.delivered() - account.reports() - 200;
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs) + 1;
      assertThat(passed).isBetween(5L, 5 * (seconds + 1));
      assertThat(refused(rig)).isEqualTo(100 - passed);
      assertThat(rig.delegate.reports())
          .isNotEmpty()
          .allMatch(line -> line.matches(".*; LIMITED: test \"\\{} lost\" \\d+"));
    }
  }

  @Test
  void listenersHaveTheNumbersByLoggerToo() {
    RecordingListener listener = new RecordingListener();
    try (Rig rig =
        Rig.started(
            appender -> {
              appender.addLimit(limit("", BURST));
              appender.addListener(listener);
            })) {
      rig.log(100);
      rig.stop(100);
      Await.until("told", () -> listener.drops().stream().anyMatch(drop -> drop.count() > 0));
      assertThat(
              listener.drops().stream()
                  .mapToLong(drop -> drop.loggers().getOrDefault("test", 0L))
                  .sum())
          .isEqualTo(refused(rig));
      assertThat(DropSummary.text(listener.drops())).contains("; LIMITED: test ");
    }
  }

  @ParameterizedTest
  @CsvSource({"WARN, 30, 30", "ERROR, 0, 30", "OFF, 0, 0"})
  void theExemptLevelAndThoseAboveItAlwaysPass(String exempt, int warnings, int errors) {
    LimitOptions limit = limit("test", 1);
    limit.setExempt(exempt);
    try (Rig rig = limited(limit)) {
      rig.log(30).log(org.slf4j.event.Level.WARN, 30).log(org.slf4j.event.Level.ERROR, 30);
      rig.stop(90);
      assertPassed(90 - refused(rig) - warnings - errors, 1);
      assertThat(rig.snapshot().dropped(DropReason.LIMITED, org.slf4j.event.Level.INFO))
          .isPositive();
    }
  }

  @Test
  void theLongestNameAppliesAndOtherLoggersAreFree() {
    LimitOptions much = limit("test.Db", 1000);
    try (Rig rig = limited(limit("test", 1), much)) {
      for (int i = 0; i < 100; i++) {
        rig.context.getLogger("test.Db.Pool").info("of the bucket of test.Db");
        rig.context.getLogger("test.Db$Pool").info("of the bucket of test.Db");
        rig.context.getLogger("test.Dbx").info("of the bucket of test");
        rig.appender.doAppend(eventOf("other"));
        rig.appender.doAppend(eventOf(null));
      }
      rig.stop(500);
      assertPassed(100 - refused(rig), 1);
      assertThat(rig.delegate.reports()).noneMatch(line -> line.contains("test.Db "));
    }
  }

  private static ch.qos.logback.classic.spi.LoggingEvent eventOf(String logger) {
    var event = Events.info("made by hand");
    event.setLoggerName(logger);
    return event;
  }

  /** The time in an event is of a wall clock, perhaps of another machine. */
  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1, Long.MAX_VALUE})
  void theTimeInTheEventDoesNotMatter(long timeMs) {
    try (Rig rig = limited(limit("", BURST))) {
      for (int i = 0; i < 100; i++) {
        var event = Events.info("set back, or forth");
        event.setTimeStamp(i % 2 == 0 ? timeMs : System.currentTimeMillis());
        rig.appender.doAppend(event);
      }
      rig.stop(100);
      assertPassed(100 - refused(rig), BURST);
    }
  }

  /** An appender's own filters come first. One that accepts ends Logback's chain of filters. */
  @Test
  void aFilterThatAcceptsDoesNotLiftIt() {
    LevelFilter accepting = new LevelFilter();
    accepting.setLevel(Level.INFO);
    accepting.setOnMatch(FilterReply.ACCEPT);
    accepting.setOnMismatch(FilterReply.DENY);
    accepting.start();
    try (Rig rig = limited(limit("test", BURST))) {
      rig.appender.addFilter(accepting);
      rig.log(100).log(org.slf4j.event.Level.DEBUG, 1000);
      rig.stop(100);
      assertPassed(100 - refused(rig), BURST);
    }
  }

  @Test
  void aStartFillsTheBucketAndAStoppedAppenderRefusesAsStopped() {
    try (Rig rig = limited(limit("test", BURST))) {
      for (int start = 1; start <= 3; start++) {
        long before = refused(rig);
        rig.log(100);
        assertPassed(100 - (refused(rig) - before), BURST);
        rig.appender.stop();
        rig.log(100);
        assertThat(rig.snapshot().dropped(DropReason.STOPPED)).isEqualTo(100L * start);
        rig.appender.start();
      }
      rig.stop(600);
    }
  }

  /** Of an appender in front of this one, or of a listener: a refused one would cause another. */
  @Test
  void aReportOfDropsAlwaysPasses() {
    try (Rig rig = limited(limit("", 1))) {
      for (int i = 0; i < 50; i++) {
        rig.appender.doAppend(OwnEvent.of(Level.WARN, "Forebay: a report", rig.context, 0));
        rig.appender.doAppend(eventOf("dev.forebay"));
      }
      rig.stop(100);
      assertThat(refused(rig)).isZero();
    }
  }

  @Test
  void aCallInsideAnotherCountsAsSuchAndTakesNothing() {
    try (Rig rig = limited(limit("test", BURST))) {
      Object logging =
          new Object() {
            @Override
            public String toString() {
              rig.logger.info("inner");
              return "outer";
            }
          };
      for (int i = 0; i < BURST; i++) {
        rig.logger.info("{}", logging);
      }
      rig.stop(2 * BURST);
      assertThat(rig.snapshot().dropped(DropReason.REENTRANT)).isEqualTo(BURST);
      assertThat(refused(rig)).isZero();
    }
  }

  @Test
  void theLawHoldsInEverySnapshotWhileManyThreadsAreLimited() {
    LimitOptions limit = limit("", 1000);
    limit.setPerSecond(100);
    try (Rig rig = limited(limit)) {
      rig.delegate.countingOnly();
      List<Thread> callers = Threads.start(4, i -> rig.log(20_000));
      boolean isBusy;
      do {
        isBusy = callers.stream().anyMatch(Thread::isAlive);
        Conservation.assertHolds(rig.snapshot());
      } while (isBusy);
      callers.forEach(Await::end);
      rig.stop(80_000);
      assertThat(refused(rig)).isPositive();
    }
  }

  private static final String LIMITS =
      """
      <limit>
        <logger>com.acme</logger>
        <perSecond>1</perSecond>
        <burst>20</burst>
        <exempt>WARN</exempt>
      </limit>
      <limit><logger>com.acme.Db</logger><perSecond>10</perSecond></limit>
      """;

  @Test
  void elementsOfAConfigurationSetIt() {
    try (Joran joran = Joran.ofRing(LIMITS)) {
      assertThat(joran.warnings()).isEmpty();
      LoggerContext context = joran.context();
      for (int i = 0; i < 100; i++) {
        context.getLogger("com.acme.Web").info("limited");
        context.getLogger("com.acme.Web").warn("exempt");
        context.getLogger("com.acme.Db").warn("limited");
      }
      NonBlockingAppender ring = joran.ring("RING");
      long limitedInfo = ring.snapshot().dropped(DropReason.LIMITED, org.slf4j.event.Level.INFO);
      assertPassed(100 - limitedInfo, 20);
      long limitedWarn = ring.snapshot().dropped(DropReason.LIMITED) - limitedInfo;
      assertThat(limitedWarn).isBetween(1L, 90L);
      ring.stop();
      Conservation.assertSettled(ring, 300);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<limit/> | <limit>: no <perSecond>: write elements, since Logback ignores attributes",
        "<limit logger='com.acme' perSecond='100'/> | no <perSecond>: write elements, since Logback",
        "<limit><logger>a</logger><perSecond>0</perSecond></limit> | <limit> of logger \"a\": <perSecond> is 0: must be between 1 and 1000000",
        "<limit><perSecond>1000001</perSecond></limit> | <limit>: <perSecond> is 1000001: must be",
        "<limit><perSecond>1</perSecond><burst>-1</burst></limit> | <limit>: <burst> is -1: must be between 1 and 1000000000",
        "<limit><burst>9</burst><duplicates>1</duplicates></limit> | <limit>: <burst> without <perSecond>: write both",
        "<limit><duplicates>0</duplicates></limit> | <limit>: <duplicates> is 0: must be between 1 and 1000000",
        "<limit><perSecond>1</perSecond><burst>0</burst></limit> | <limit>: <burst> is 0: must be",
        "<limit><perSecond>1</perSecond><exempt>LOUD</exempt></limit> | <exempt> is \"LOUD\": must be DEBUG, INFO, WARN, ERROR or OFF",
        "<limit><perSecond>1</perSecond><exempt>TRACE</exempt></limit> | <exempt> is \"TRACE\": must be",
        "<limit><perSecond>1</perSecond></limit><limit><logger>root</logger><perSecond>1</perSecond></limit> | two <limit> for logger \"ROOT\": remove one"
      })
  void aMistakeIsNamedAndTheAppenderDoesNotStart(String properties, String message) {
    try (Joran joran = Joran.ofRing(properties)) {
      assertThat(joran.errors())
          .singleElement()
          .asString()
          .contains("[RING]: not started", message);
      joran.context().getLogger("test").info("is counted");
      Conservation.assertSettled(joran.ring("RING"), 1);
    }
  }
}
