package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.observe.DropSummary;
import dev.forebay.observe.FailureListener;
import dev.forebay.testkit.Events;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drops shortly before a JVM ends that nobody stops logging in. */
@Tag("once")
class LastReportTest {

  private static final Pattern REPORT = Pattern.compile("Forebay: (\\d+) events? dropped .*");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"System.exit", "end of main"})
  void theLastDropsAreInTheLogAndToldToListenersHoweverLongTheInterval(String end)
      throws Exception {
    Path log = directory.resolve("app.log");
    Path told = directory.resolve("told");

    ChildJvm.run(TwoBursts.class, log.toString(), told.toString(), end);

    List<String> lines = Files.readAllLines(log);
    long dropped = TwoBursts.EVENTS - lines.stream().filter(TwoBursts.EVENT::equals).count();
    assertThat(dropped).as("events that are no line").isPositive();
    assertThat(reported(lines)).as("reported in the log").isEqualTo(dropped);
    assertThat(Files.readAllLines(told).stream().mapToLong(Long::parseLong).sum())
        .as("told to the listener")
        .isEqualTo(dropped);
  }

  @Test
  void aListenerThatHangsDoesNotHoldUpTheEnd() throws Exception {
    Path log = directory.resolve("app.log");

    ChildJvm.run(TwoBursts.class, log.toString(), "", "hanging listener");

    List<String> lines = Files.readAllLines(log);
    long dropped = TwoBursts.EVENTS - lines.stream().filter(TwoBursts.EVENT::equals).count();
    assertThat(reported(lines)).as("reported in the log").isEqualTo(dropped);
  }

  private static long reported(List<String> lines) {
    return lines.stream()
        .map(REPORT::matcher)
        .filter(Matcher::matches)
        .mapToLong(report -> Long.parseLong(report.group(1)))
        .sum();
  }

  /** Logs more than fits, sees the report, does it again and ends at once. */
  static final class TwoBursts {

    static final String EVENT = "event";
    private static final int BURST = 50_000;
    static final int EVENTS = 2 * BURST;

    private TwoBursts() {}

    public static void main(String[] args) {
      Path log = Path.of(args[0]);
      var context = Events.context("bursts");
      NonBlockingAppender ring = toFile(context, log.toString());
      ring.setRingBufferSize(16);
      ring.setReportInterval("1 hour");
      boolean hangs = args[2].equals("hanging listener");
      ring.setMaxFlushTime(hangs ? "2 seconds" : "1 hour");
      ring.addListener(hangs ? new HangingListener() : new Teller(Path.of(args[1])));
      ring.start();
      var logger = context.getLogger("application");
      logger.addAppender(ring);
      burst(logger);
      Await.until("the first report", () -> reported(linesOf(log)) > 0);
      burst(logger);
      if (args[2].equals("System.exit")) {
        System.exit(0);
      }
    }

    private static void burst(org.slf4j.Logger logger) {
      for (int i = 0; i < BURST; i++) {
        logger.info(EVENT);
      }
    }

    private static List<String> linesOf(Path log) {
      try {
        return Files.readAllLines(log);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** A ring before a file; not started. */
    private static NonBlockingAppender toFile(LoggerContext context, String log) {
      var encoder = new PatternLayoutEncoder();
      encoder.setContext(context);
      encoder.setPattern("%msg%n");
      encoder.start();
      var file = new FileAppender<ILoggingEvent>();
      file.setContext(context);
      file.setName("FILE");
      file.setFile(log);
      file.setEncoder(encoder);
      NonBlockingAppender ring = new NonBlockingAppender();
      ring.setContext(context);
      ring.setName("RING");
      ring.addAppender(file);
      return ring;
    }
  }

  private static final class HangingListener implements FailureListener {

    @Override
    public void onDropped(String appender, List<DropSummary> drops) {
      while (true) {
        LockSupport.park();
      }
    }
  }

  /** Writes each count it is told to a file. */
  private record Teller(Path told) implements FailureListener {

    @Override
    public void onDropped(String appender, List<DropSummary> drops) {
      long count = drops.stream().mapToLong(DropSummary::count).sum();
      try {
        Files.writeString(told, count + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
