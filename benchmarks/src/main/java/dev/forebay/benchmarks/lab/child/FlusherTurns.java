package dev.forebay.benchmarks.lab.child;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The turns of our flusher by their size, as JMX shows them. */
final class FlusherTurns {

  private static final String NAME = "dev.forebay:type=Appender,*";
  private static final String ATTRIBUTE = "TurnsByEvents";

  private FlusherTurns() {}

  /** Of the one appender there is; empty while it is not registered. */
  static List<Long> read() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      for (ObjectName name : server.queryNames(new ObjectName(NAME), null)) {
        if (server.getAttribute(name, ATTRIBUTE) instanceof long[] turns) {
          return Arrays.stream(turns).boxed().toList();
        }
      }
      return List.of();
    } catch (JMException e) {
      return List.of();
    }
  }
}
