package dev.forebay.it.demo.app;

import dev.forebay.host.Await;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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

  /** Begins the names of drops in the account; reason and level follow. */
  private static final String DROPPED_BY = "dropped.";

  /** Name in the account to figure. */
  private static final Map<String, String> FIGURES =
      Map.of(
          "offered", Figures.OFFERED,
          "delivered", Figures.DELIVERED,
          "dropped", Figures.DROPPED,
          "inFlight", Figures.IN_FLIGHT,
          "ringFill", Figures.QUEUED,
          "ringCapacity", Figures.QUEUE_CAPACITY,
          "reports", Figures.REPORTS,
          "spoolBytes", Figures.SPOOL_BYTES);

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
      Await.pass(Duration.ofMillis(POLL_MS));
    }
  }

  @Override
  public Figures read() {
    Map<String, Long> values = new HashMap<>();
    values.put(Figures.COUNTED, OfferedCounter.offered());
    TabularData account = (TabularData) attribute("Account");
    for (Object row : account.values()) {
      CompositeData entry = (CompositeData) row; // JMX shows a map as a table of such rows
      String name = (String) entry.get("key");
      long value = (Long) entry.get("value");
      if (name.startsWith(DROPPED_BY)) {
        values.put(Figures.DROPPED_BY + name.substring(DROPPED_BY.length()), value);
      } else if (FIGURES.containsKey(name)) {
        values.put(FIGURES.get(name), value);
      } else if (name.equals("held") || name.equals("expired")) {
        values.merge(Figures.RECORDED, value, Long::sum);
      }
    }
    return new Figures(values);
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

  private Object attribute(String name) {
    try {
      return server.getAttribute(appender, name);
    } catch (JMException e) {
      throw new IllegalStateException("Cannot read " + name + " of " + appender, e);
    }
  }
}
