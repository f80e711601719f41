package consumer;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import dev.forebay.tiered.TieredAppender;
import org.slf4j.LoggerFactory;

/** Logs one line through an appender made by hand, to the file that its argument names. */
final class Plain {

  private Plain() {}

  public static void main(String[] arguments) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%msg%n");
    encoder.start();
    TieredAppender appender = new TieredAppender();
    appender.setContext(context);
    appender.setName("FILE");
    appender.setFile(arguments[0]);
    appender.setEncoder(encoder);
    appender.start();
    context.getLogger("ROOT").addAppender(appender);
    context.getLogger("plain").info("a line of a plain program");
    context.stop();
  }
}
