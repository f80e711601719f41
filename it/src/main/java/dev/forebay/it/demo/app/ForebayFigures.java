package dev.forebay.it.demo.app;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;

/** What a Forebay appender shows to JMX, read as any monitoring tool would. */
final class ForebayFigures implements FiguresSource {

  private static final String PATTERN = "dev.forebay:type=Appender,*";
  private static final long POLL_MS = 50;

  /** JMX attribute to figure. */
  private static final Map<String, String> ATTRIBUTES =
      Map.of(
          "Offered", Figures.OFFERED,
          "Delivered", Figures.DELIVERED,
          "DroppedTotal", Figures.DROPPED,
          "InFlight", Figures.IN_FLIGHT,
          "RingFill", Figures.QUEUED,
          "RingCapacity", Figures.QUEUE_CAPACITY,
          "Reports", Figures.REPORTS,
          "SpoolBytes", Figures.SPOOL_BYTES);

  private final MBeanServer server;
  private final ObjectName appender;

  private ForebayFigures(MBeanServer server, ObjectName appender) {
    this.server = server;
    this.appender = appender;
  }

  /** Waits for the one appender of this JVM to register, which it does from a thread of its own. */
  static ForebayFigures await(long timeoutMs) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName pattern;
    try {
      pattern = new ObjectName(PATTERN);
    } catch (MalformedObjectNameException e) {
      throw new AssertionError(e);
    }
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    while (true) {
      Set<ObjectName> names = server.queryNames(pattern, null);
      if (names.size() == 1) {
        return new ForebayFigures(server, names.iterator().next());
      }
      if (System.nanoTime() - deadlineNs >= 0) {
        throw new IllegalStateException(
            "Expected one MBean " + PATTERN + " within " + timeoutMs + " ms, found " + names);
      }
      Pause.millis(POLL_MS);
    }
  }

  @Override
  public Figures read() {
    Map<String, Long> values = new HashMap<>();
    values.put(Figures.COUNTED, OfferedCounter.offered());
    ATTRIBUTES.forEach(
        (attribute, figure) -> values.put(figure, ((Number) attribute(attribute)).longValue()));
    values.put(Figures.RECORDED, sum("Expired", "Held"));
    putDropped((TabularData) attribute("Dropped"), values);
    return new Figures(values);
  }

  /** JMX shows a map as a table with the columns "key" and "value". */
  private static void putDropped(TabularData byReason, Map<String, Long> values) {
    for (Object reason : byReason.values()) {
      CompositeData reasonRow = (CompositeData) reason;
      for (Object level : ((TabularData) reasonRow.get("value")).values()) {
        CompositeData levelRow = (CompositeData) level;
        values.put(
            Figures.DROPPED_BY + reasonRow.get("key") + "." + levelRow.get("key"),
            (Long) levelRow.get("value"));
      }
    }
  }

  @Override
  public void flush(long timeoutMs) {
    try {
      Object[] arguments = {timeoutMs};
      server.invoke(appender, "flush", arguments, new String[] {long.class.getName()});
    } catch (JMException e) {
      throw new IllegalStateException("Cannot flush " + appender, e);
    }
  }

  @Override
  public String lastError() {
    return (String) attribute("LastError");
  }

  private long sum(String... attributes) {
    return Stream.of(attributes).mapToLong(name -> (Long) attribute(name)).sum();
  }

  private Object attribute(String name) {
    try {
      return server.getAttribute(appender, name);
    } catch (JMException e) {
      throw new IllegalStateException("Cannot read " + name + " of " + appender, e);
    }
  }
}
