package dev.forebay.tiered;

import dev.forebay.host.Await;
import dev.forebay.observe.AppenderMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Finds the beans of appenders in JMX. */
final class Beans {

  static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  private Beans() {}

  static Map<String, Long> account(ObjectName bean) {
    return JMX.newMXBeanProxy(SERVER, bean, AppenderMXBean.class).getAccount();
  }

  /** Waits for the bean of an appender, which is registered a second after the start. */
  static ObjectName await(String context, String appender) throws Exception {
    ObjectName bean =
        new ObjectName("dev.forebay:type=Appender,context=" + context + ",name=" + appender);
    Await.until("in JMX", () -> SERVER.isRegistered(bean));
    return bean;
  }
}
