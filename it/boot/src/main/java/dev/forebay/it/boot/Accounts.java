package dev.forebay.it.boot;

import dev.forebay.observe.AppenderMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What the appenders show in JMX. */
final class Accounts {

  private static final long FLUSH_MS = 30_000;
  private static final String[] NUMBERS = {"offered", "delivered", "dropped", "inFlight"};

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
      Map<String, Long> account =
          JMX.newMXBeanProxy(server, bean, AppenderMXBean.class).getAccount();
      for (String number : NUMBERS) {
        line.add(String.valueOf(account.get(number)));
      }
      long recorded = account.getOrDefault("expired", 0L) + account.getOrDefault("held", 0L);
      lines.add(line.add(String.valueOf(recorded)).toString());
    }
    return lines.toString();
  }
}
