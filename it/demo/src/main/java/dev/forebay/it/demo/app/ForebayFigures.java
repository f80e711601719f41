package dev.forebay.it.demo.app;

import dev.forebay.host.Await;
import dev.forebay.observe.AppenderMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** What a Forebay appender shows to JMX, read as any monitoring tool would. */
record ForebayFigures(AppenderMXBean appender) implements FiguresSource {

  private static final String PATTERN = "dev.forebay:type=Appender,*";

  /** Waits for the one appender of this JVM to register, which it does from a thread of its own. */
  static ForebayFigures await(Duration patience) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName pattern = new ObjectName(PATTERN);
      boolean unused = Await.within(patience, () -> server.queryNames(pattern, null).size() == 1);
      Set<ObjectName> names = server.queryNames(pattern, null);
      if (names.size() != 1) {
        throw new IllegalStateException(
            "Expected one MBean " + PATTERN + " within " + patience + ", found " + names);
      }
      return new ForebayFigures(
          JMX.newMXBeanProxy(server, names.iterator().next(), AppenderMXBean.class));
    } catch (MalformedObjectNameException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public Figures read() {
    Map<String, Long> values = new HashMap<>(appender.getAccount());
    values.put(Figures.COUNTED, OfferedCounter.offered());
    return new Figures(values);
  }

  @Override
  public void flush(long timeoutMs) {
    boolean unused = appender.flush(timeoutMs);
  }

  @Override
  public String lastError() {
    return appender.getLastError();
  }
}
