package dev.forebay.it.demo.app;

import dev.forebay.host.Await;
import dev.forebay.observe.AppenderMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * What an application knew about its logging at one moment.
 *
 * @param values numbers, named as in the account of {@link AppenderMXBean}
 */
public record Figures(Map<String, Long> values) {

  /** Events counted before the appender. */
  public static final String COUNTED = "counted";

  /** Events in the ring, or in the queue of an AsyncAppender. */
  public static final String QUEUED = "ringFill";

  /** How many fit there. */
  public static final String QUEUE_CAPACITY = "ringCapacity";

  /** Events the appender says it was offered. */
  public static final String OFFERED = "offered";

  /** Events the appender says are in the log. */
  public static final String DELIVERED = "delivered";

  /** Events the appender says it dropped. */
  public static final String DROPPED = "dropped";

  /** Start of the names of dropped events by reason and level: {@code dropped.REASON.LEVEL}. */
  public static final String DROPPED_BY = "dropped.";

  /** Events the appender still holds, in the ring or in the spool. */
  public static final String IN_FLIGHT = "inFlight";

  /** Lines the appender itself added to the log. */
  public static final String REPORTS = "reports";

  /** Bytes in the spool. */
  public static final String SPOOL_BYTES = "spoolBytes";

  /** Nothing known. */
  public static final Figures NONE = new Figures(Map.of());

  private static final Duration REGISTRATION = Duration.ofSeconds(20);

  /** The number of that name, 0 when it is unknown. */
  public long get(String name) {
    return values.getOrDefault(name, 0L);
  }

  /** These and some more. */
  public Figures with(Map<String, Long> more) {
    Map<String, Long> all = new HashMap<>(values);
    all.putAll(more);
    return new Figures(all);
  }

  /** Those that our appender shows to JMX, as any monitoring tool reads them. */
  static Figures of(AppenderMXBean appender) {
    return new Figures(appender.getAccount());
  }

  /** The one appender of this JVM, which registers from a thread of its own. */
  static AppenderMXBean awaitAppender() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName pattern = new ObjectName("dev.forebay:type=Appender,*");
      if (!Await.within(REGISTRATION, () -> server.queryNames(pattern, null).size() == 1)) {
        throw new IllegalStateException("Expected one MBean " + pattern);
      }
      ObjectName name = server.queryNames(pattern, null).iterator().next();
      return JMX.newMXBeanProxy(server, name, AppenderMXBean.class);
    } catch (MalformedObjectNameException e) {
      throw new AssertionError(e);
    }
  }
}
