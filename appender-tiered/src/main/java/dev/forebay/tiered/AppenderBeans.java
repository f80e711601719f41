package dev.forebay.tiered;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Appender;
import dev.forebay.NonBlockingAppender;
import dev.forebay.Statuses;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.pipeline.PipelineBean;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What JMX shows of this project's appenders, for modules that show it elsewhere. Any thread.
 *
 * @hidden
 */
public final class AppenderBeans {

  private AppenderBeans() {}

  /**
   * The appenders of a context by name: those that loggers reach, directly or indirectly, and those
   * that run. Of two with the same name the later one has "-2" appended.
   */
  public static Map<String, Appender<?>> find(LoggerContext context) {
    Set<Object> seen = new LinkedHashSet<>();
    for (Logger logger : context.getLoggerList()) {
      Statuses.addAll(logger.iteratorForAppenders(), seen);
    }
    seen.addAll(Statuses.running(context));
    Map<String, Appender<?>> found = new TreeMap<>();
    for (Object each : seen) {
      if (each instanceof TieredAppender || each instanceof NonBlockingAppender) {
        put(found, (Appender<?>) each);
      }
    }
    return found;
  }

  /**
   * The bean of one of them: a {@link dev.forebay.observe.ControlMXBean} if it may be steered, a
   * {@link dev.forebay.observe.TieredAppenderMXBean} if it has a spool. Of its newest start; with
   * the account alone before the first.
   *
   * @throws IllegalArgumentException for another kind of appender
   */
  public static AppenderMXBean of(Appender<?> appender) {
    if (appender instanceof TieredAppender tiered) {
      TieredStart start = tiered.newest;
      if (start == null) {
        return new PipelineBean(tiered.gate);
      }
      return start.isSteerable() ? start.control() : start.view();
    }
    if (appender instanceof NonBlockingAppender ring) {
      return ring.mxBean();
    }
    throw new IllegalArgumentException("not an appender of Forebay: " + appender);
  }

  private static void put(Map<String, Appender<?>> found, Appender<?> appender) {
    String name = String.valueOf(appender.getName());
    String free = name;
    for (int number = 2; found.containsKey(free); number++) {
      free = name + "-" + number;
    }
    found.put(free, appender);
  }
}
