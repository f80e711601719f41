package dev.forebay.it.boot;

import java.lang.management.ManagementFactory;
import java.util.StringJoiner;
import java.util.TreeSet;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What the appenders show in JMX. */
final class Accounts {

  private static final long FLUSH_MS = 30_000;
  private static final String[] ATTRIBUTES = {"Offered", "Delivered", "DroppedTotal", "InFlight"};

  /** Of a {@code TieredAppender}: what its flight recorder took. */
  private static final String[] RECORDED = {"Expired", "Held"};

  private Accounts() {}

  /** A line for each appender, in the order of their names: the name and five numbers. */
  static String read(boolean flush) throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    StringJoiner lines = new StringJoiner("\n");
    ObjectName all = new ObjectName("dev.forebay:type=Appender,*");
    for (ObjectName bean : new TreeSet<>(server.queryNames(all, null))) {
      if (flush) {
        server.invoke(bean, "flush", new Object[] {FLUSH_MS}, new String[] {long.class.getName()});
      }
      StringJoiner line = new StringJoiner(" ").add(bean.getKeyProperty("name"));
      for (String attribute : ATTRIBUTES) {
        line.add(String.valueOf(server.getAttribute(bean, attribute)));
      }
      lines.add(line.add(String.valueOf(recorded(server, bean))).toString());
    }
    return lines.toString();
  }

  private static long recorded(MBeanServer server, ObjectName bean) throws JMException {
    long sum = 0;
    for (String attribute : RECORDED) {
      try {
        sum += (Long) server.getAttribute(bean, attribute);
      } catch (AttributeNotFoundException e) {
        return 0; // this one has no recorder
      }
    }
    return sum;
  }
}
