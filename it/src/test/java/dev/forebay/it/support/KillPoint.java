package dev.forebay.it.support;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;

/** Ends a process like {@code kill -9} at a point of its work that a library's log tells. */
public final class KillPoint extends AppenderBase<ILoggingEvent> {

  private static final String PROPERTY = "forebay.it.killPoint";

  private final Pattern said;
  private final AtomicInteger left;

  private KillPoint(Pattern said, int times) {
    this.said = said;
    this.left = new AtomicInteger(times);
  }

  /**
   * Options of a JVM that ends there.
   *
   * @param logger of the library
   * @param said what it says there, a regular expression
   * @param times how often it has said it then
   */
  public static List<String> options(String logger, String said, int times) {
    return List.of(
        "-D%s.logger=%s".formatted(PROPERTY, logger),
        "-D%s=%s".formatted(PROPERTY, said),
        "-D%s.times=%d".formatted(PROPERTY, times));
  }

  static void asTold() {
    String said = System.getProperty(PROPERTY);
    if (said != null) {
      Logger logger = (Logger) LoggerFactory.getLogger(System.getProperty(PROPERTY + ".logger"));
      KillPoint point =
          new KillPoint(Pattern.compile(said), Integer.getInteger(PROPERTY + ".times"));
      point.setContext(logger.getLoggerContext());
      point.start();
      logger.setLevel(Level.TRACE);
      logger.setAdditive(false);
      logger.addAppender(point);
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (said.matcher(event.getFormattedMessage()).find() && left.decrementAndGet() == 0) {
      Runtime.getRuntime().halt(0);
    }
  }
}
