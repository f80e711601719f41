package dev.forebay.it.frameworks;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What requests ask for; each answer is a text. Any thread. */
public final class Work {

  private static final Logger LOG = LoggerFactory.getLogger("it");
  private static final Duration FLUSH = Duration.ofSeconds(30);
  private static final Queue<String> LAST_WORDS = new ConcurrentLinkedQueue<>();

  private Work() {}

  /** Tells who started this process where to find it. */
  @SuppressWarnings("SystemOut")
  public static void ready(int port) {
    System.out.println("ready " + port);
  }

  /** Logs a line. */
  public static String log(String line) {
    LOG.info(line);
    return "";
  }

  /** A line that is to be logged at the end of the application. */
  public static String keep(String line) {
    LAST_WORDS.add(line);
    return "";
  }

  /** The framework is stopping. */
  public static void end() {
    LAST_WORDS.forEach(LOG::info);
  }

  /** What is delivered, of each appender: a line with its name and four numbers. */
  public static String flushed() {
    List<String> accounts = new ArrayList<>();
    for (ch.qos.logback.classic.Logger logger : context().getLoggerList()) {
      Iterator<Appender<ILoggingEvent>> appenders = logger.iteratorForAppenders();
      while (appenders.hasNext()) {
        if (appenders.next() instanceof TieredAppender tiered) {
          accounts.add(account(tiered));
        }
      }
    }
    return String.join("\n", accounts);
  }

  private static String account(TieredAppender appender) {
    boolean unused = appender.flush(FLUSH);
    LedgerSnapshot now = appender.snapshot();
    return "%s %d %d %d %d"
        .formatted(
            appender.getName(), now.offered(), now.delivered(), now.dropped(), now.inFlight());
  }

  /** What Logback and the appenders had to say, a line for each status: level and message. */
  public static String statuses() {
    return context().getStatusManager().getCopyOfStatusList().stream()
        .map(status -> status.getEffectiveLevel() + " " + status.getMessage())
        .collect(Collectors.joining("\n"));
  }

  private static LoggerContext context() {
    return (LoggerContext) LoggerFactory.getILoggerFactory();
  }
}
