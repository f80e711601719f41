package dev.forebay.tiered;

import dev.forebay.host.Await;
import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Finds the beans of appenders in JMX. */
final class Beans {

  static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  private Beans() {}

  /**
   * Waits for the bean of an appender: a thread of the appender registers it, maybe after the
   * start.
   */
  static ObjectName await(String context, String appender) throws Exception {
    ObjectName bean =
        new ObjectName("dev.forebay:type=Appender,context=" + context + ",name=" + appender);
    Await.until("in JMX", () -> SERVER.isRegistered(bean));
    return bean;
  }
}
