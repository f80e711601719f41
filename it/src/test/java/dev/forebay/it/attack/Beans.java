package dev.forebay.it.attack;

import dev.forebay.host.Await;
import dev.forebay.observe.AppenderMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What JMX shows of an appender when it has nothing to do. */
final class Beans {

  private Beans() {}

  /** What is wrong: there must be one bean, and it must say what the snapshot says. */
  static Optional<String> fault(Seen appender) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName any = new ObjectName("dev.forebay:type=Appender,name=LOG,*");
    // A thread of the appender registers it.
    Await.within(Duration.ofSeconds(20), () -> server.queryNames(any, null).size() == 1);
    Set<ObjectName> names = server.queryNames(any, null);
    if (names.size() != 1) {
      return Optional.of("beans in JMX: " + names);
    }
    AppenderMXBean bean = JMX.newMXBeanProxy(server, names.iterator().next(), AppenderMXBean.class);
    // A report of drops may come between two looks.
    boolean agree =
        Await.within(
            Duration.ofSeconds(20), () -> offered(bean).equals(appender.snapshot().offered()));
    return agree
        ? Optional.empty()
        : Optional.of(
            "JMX says offered %s, the snapshot %s".formatted(offered(bean), appender.snapshot()));
  }

  private static Long offered(AppenderMXBean bean) {
    return bean.getAccount().get("offered");
  }
}
